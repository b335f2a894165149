Feature: New tiles
  A tile appears after every move, on an empty square: usually a 2, one time in ten a 4.

  Scenario: A game begins with two tiles
    When I start a new game
    Then the board has 2 tiles
    And 0 moves have been played

  Scenario: Every move brings one tile
    Given the board
      | . | . | 2 | . |
      | . | 4 | . | . |
      | . | . | . | . |
      | 8 | . | . | . |
    When I move LEFT
    Then 1 new tile has come

  Scenario: A move that merges brings one tile too
    Given the board
      | 2 | 2 | 4  | 8  |
      | 4 | 8 | 16 | 32 |
      | 2 | 4 | 8  | 16 |
      | 4 | 8 | 16 | 32 |
    When I move LEFT
    Then 1 new tile has come
    And the board has 16 tiles

  Scenario: One seed brings the same tiles every time
    Given a game from seed 7
    When I play 50 moves
    Then playing it again from seed 7 gives the same board

  Scenario: Another seed brings other tiles
    Given a game from seed 7
    When I play 50 moves
    Then playing it again from seed 8 gives another board

  Scenario: One new tile in ten is a 4
    Then of 10000 new tiles about one in ten is a 4

  Scenario: A tile may come on any empty square, and on no other
    Given the board
      | 2 | . | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | . | 4 | 2 | 4 |
      | 4 | 2 | 4 | . |
    Then every empty square gets a tile in some game, and no other does

  Scenario: A full board has no room for a tile
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
    Then every empty square gets a tile in some game, and no other does
