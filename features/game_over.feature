Feature: The end of a game
  A game ends when no direction changes the board, and not before.

  Scenario: A full board without a pair is the end
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
    Then the game is over
    And the open moves are none

  Scenario: A pair in a row keeps the game going
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | 8 | 8 |
      | 4 | 2 | 4 | 2 |
    Then the game goes on
    And the open moves are LEFT, RIGHT

  Scenario: A pair in a column keeps the game going
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 8 | 2 | 4 |
      | 4 | 8 | 4 | 2 |
    Then the game goes on
    And the open moves are UP, DOWN

  Scenario: One empty square keeps the game going
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | . | 4 |
      | 4 | 2 | 4 | 2 |
    Then the game goes on

  Scenario: An empty board has nothing to move
    Given the board
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    Then the game is over
    And the open moves are none

  Scenario: Making 2048 does not end the game
    Given the board
      | 1024 | 1024 | . | . |
      | .    | .    | . | . |
      | .    | .    | . | . |
      | .    | .    | . | . |
    When I move LEFT
    Then the score is 2048
    And the game goes on

  Scenario: The tile that fills the board can be the end
    Given the board
      | 2  | 2  | 8  | 16  |
      | 16 | 32 | 64 | 128 |
      | 4  | 8  | 16 | 32  |
      | 16 | 32 | 64 | 128 |
    When I move LEFT
    Then 1 move has been played
    And the game is over

  Scenario: A finished game takes no more moves
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
    When I move LEFT
    And I move UP
    Then nothing has changed
