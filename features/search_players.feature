Feature: The players that look ahead
  Expectimax counts with every tile that may come as often as it comes; minimax expects the worst of them. Both look
  further ahead the more time they have.

  Scenario Outline: <player> says how far it looked, and claims no shares
    Given the board
      | 64 | 32 | 16 | 8 |
      | 4  | 2  | .  | . |
      | 2  | .  | .  | . |
      | .  | .  | .  | . |
    When <player> chooses a move
    Then the choice is an open move
    And it says "moves ahead over"
    And it gives no shares

    Examples:
      | player     |
      | expectimax |
      | ntuple     |
      | minimax    |

  Scenario Outline: Without any time <player> still looks two moves ahead
    Given the board
      | 1024 | 512 | 256 | 128 |
      | 64   | 32  | 16  | 8   |
      | 4    | 2   | 4   | .   |
      | 2    | .   | .   | .   |
    When <player> chooses a move in 0 ms
    Then the choice is an open move
    And it says "2 moves ahead"

    Examples:
      | player     |
      | expectimax |
      | ntuple     |
      | minimax    |

  Scenario Outline: One open move needs no search, and <player> says so
    Given the board
      | 2 | . | . | . |
      | 4 | . | . | . |
      | 2 | . | . | . |
      | 4 | . | . | . |
    When <player> chooses a move
    Then the choice is RIGHT
    And it says "only one legal move"

    Examples:
      | player     |
      | expectimax |
      | ntuple     |
      | minimax    |

  Scenario: Expectimax plays on with the largest tiles there are
    Given the board
      | 131072 | 65536 | 32768 | 16384 |
      | 1024   | 2048  | 4096  | 8192  |
      | 512    | 256   | 128   | 64    |
      | .      | 2     | 2     | 32    |
    When expectimax chooses a move
    Then the choice is an open move

  Scenario: The learned player says how many points it expects
    Given the board
      | 1024 | 512 | 256 | 128 |
      | 4    | 8   | 16  | 64  |
      | 2    | 4   | .   | .   |
      | .    | .   | .   | 2   |
    When ntuple chooses a move
    Then it says "more points"

  Scenario Outline: The learned player goes on after <tile>
    Given the board
      | <tile> | 65536 | 32768 | 16384 |
      | 1024   | 2048  | 4096  | 8192  |
      | 512    | 256   | 128   | 64    |
      | .      | 2     | 2     | 32    |
    When ntuple chooses a move
    Then the choice is an open move

    Examples:
      | tile   |
      | 65536  |
      | 131072 |

  Scenario: Minimax says that it expects the worst
    Given the board
      | 2 | 2 | 4 | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When minimax chooses a move
    Then it says "expecting the worst"
