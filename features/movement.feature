Feature: Moving the tiles
  Tiles slide as far as they can. Two equal tiles that meet become one of twice the value, and that scores.

  Scenario: Every tile slides until something stops it
    Given the board
      | . | . | . | 2 |
      | . | 4 | . | 8 |
      | 2 | . | 4 | 8 |
      | . | . | . | . |
    When the tiles slide LEFT
    Then the board is
      | 2 | . | . | . |
      | 4 | 8 | . | . |
      | 2 | 4 | 8 | . |
      | . | . | . | . |
    And the score is 0

  Scenario: Equal tiles that meet become one, across a gap too
    Given the board
      | 2 | 2 | . | . |
      | 8 | . | . | 8 |
      | . | 4 | . | 2 |
      | . | . | . | . |
    When the tiles slide LEFT
    Then the board is
      | 4  | . | . | . |
      | 16 | . | . | . |
      | 4  | 2 | . | . |
      | .  | . | . | . |
    And the score is 20

  Scenario: A tile that has just been made does not merge again
    Given the board
      | 4 | 2 | 2 | . |
      | . | . | . | . |
      | 8 | 4 | 4 | 8 |
      | . | . | . | . |
    When the tiles slide LEFT
    Then the board is
      | 4 | 4 | . | . |
      | . | . | . | . |
      | 8 | 8 | 8 | . |
      | . | . | . | . |
    And the score is 12

  Scenario: Of three equal tiles the two that arrive first merge
    Given the board
      | 2 | 2 | 2 | . |
      | . | 4 | 4 | 4 |
      | . | . | . | . |
      | . | . | . | . |
    When the tiles slide RIGHT
    Then the board is
      | . | . | 2 | 4 |
      | . | . | 4 | 8 |
      | . | . | . | . |
      | . | . | . | . |

  Scenario: Four equal tiles make two
    Given the board
      | 2 | 2 | 2 | 2 |
      | 4 | 4 | 8 | 8 |
      | . | . | . | . |
      | . | . | . | . |
    When the tiles slide LEFT
    Then the board is
      | 4 | 4  | . | . |
      | 8 | 16 | . | . |
      | . | .  | . | . |
      | . | .  | . | . |
    And the score is 32

  Scenario: Columns follow the rules of rows
    Given the board
      | 2 | . | 4 | 8 |
      | . | . | 4 | . |
      | 2 | 2 | 4 | . |
      | . | . | 4 | 8 |
    When the tiles slide DOWN
    Then the board is
      | . | . | . | .  |
      | . | . | . | .  |
      | . | . | 8 | .  |
      | 4 | 2 | 8 | 16 |
    And the score is 36

  Scenario: 65536 and 65536 make the largest tile there is
    Given the board
      | 65536 | . | 65536 | . |
      | .     | . | .     | . |
      | .     | . | .     | . |
      | .     | . | .     | . |
    When the tiles slide LEFT
    Then the board is
      | 131072 | . | . | . |
      | .      | . | . | . |
      | .      | . | . | . |
      | .      | . | . | . |
    And the score is 131072

  Scenario: Two of the largest tiles stay apart
    Given the board
      | 131072 | 131072 | . | . |
      | .      | .      | . | . |
      | .      | .      | . | . |
      | .      | .      | . | . |
    When the tiles slide LEFT
    Then nothing has changed
