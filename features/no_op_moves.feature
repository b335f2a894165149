Feature: Moves that change nothing
  A direction in which no tile can slide or merge is no move: it costs nothing and brings nothing.

  Scenario: Tiles that stand at the edge already do not move
    Given the board
      | 2 | 4 | . | . |
      | 8 | . | . | . |
      | . | . | . | . |
      | 4 | 2 | 8 | . |
    When I move LEFT
    Then nothing has changed

  Scenario: A full line without a pair does not move either way
    Given the board
      | 2 | 4 | 2 | 4 |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I move LEFT
    And I move RIGHT
    And I move UP
    Then nothing has changed
    And the open moves are DOWN

  Scenario: The open moves are named in one order
    Given the board
      | 2 | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    Then the open moves are DOWN, RIGHT

  Scenario: One line that can move is enough
    Given the board
      | 2 | 4 | 8 | .  |
      | 4 | 8 | 2 | .  |
      | 2 | 4 | 8 | .  |
      | 4 | 8 | 8 | .  |
    When I move LEFT
    Then 1 move has been played
    And 1 new tile has come

  Scenario: A refused move does not use up the next tile
    Given the board
      | 2 | 4 | . | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I move LEFT
    And I move RIGHT
    Then 1 move has been played
    And playing it again from seed 2048 gives the same board
