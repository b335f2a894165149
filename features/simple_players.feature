Feature: The simple players
  One follows the oldest advice there is, one follows none. Both are what the others are measured against.

  Scenario Outline: The corner rules go up, else right, else down, else left
    Given the board
      | <a> | <b> | <c> | <d> |
      | <e> | .   | .   | .   |
      | .   | .   | .   | .   |
      | .   | .   | .   | .   |
    When rules chooses a move
    Then the choice is <move>

    Examples:
      | a | b | c | d | e | move  |
      | 2 | 4 | 8 | . | 2 | UP    |
      | 2 | 4 | 8 | . | . | RIGHT |
      | 2 | 4 | 8 | 2 | . | DOWN  |

  Scenario: Left is for when nothing else is open
    Given the board
      | . | . | . | 2 |
      | . | . | . | 4 |
      | . | . | . | 2 |
      | . | . | . | 4 |
    When rules chooses a move
    Then the choice is LEFT

  Scenario: The corner rules say what they follow, and claim no shares
    Given the board
      | . | 2 | . | . |
      | . | . | . | . |
      | . | . | 4 | . |
      | . | . | . | . |
    When rules chooses a move
    Then it says "↑ → ↓ ←; the first legal one wins"
    And it gives no shares

  Scenario Outline: The corner can be another one: <corner>
    Given the board
      | . | 2 | . | . |
      | . | . | . | . |
      | . | . | 4 | . |
      | . | . | . | . |
    When rules for the <corner> corner chooses a move
    Then the choice is <move>

    Examples:
      | corner       | move |
      | top left     | UP   |
      | top right    | UP   |
      | bottom left  | DOWN |
      | bottom right | DOWN |

  Scenario: Random gives every open move the same share
    Given the board
      | . | 2 | . | . |
      | . | . | . | . |
      | . | . | 4 | . |
      | . | . | . | . |
    When random chooses a move
    Then it gives even shares

  Scenario: Random picks every open move equally often
    Given the board
      | 2 | 4 | 8 | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    Then in 4000 choices random picks every open move equally often
