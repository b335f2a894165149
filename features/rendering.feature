Feature: A board is drawn as it is
  Rows are rows and columns are columns, on every kind of screen, and every tile stands where the game has it.

  Scenario Outline: A lopsided board is no other board in the <screen>
    Given a server
    And the board
      | 2    | 4   | 8  | 16   |
      | .    | .   | .  | 32   |
      | .    | 512 | .  | .    |
      | 1024 | .   | .  | 2048 |
    And the <screen> is open
    Then the <screen> shows the game

    Examples:
      | screen   |
      | page     |
      | window   |
      | terminal |

  Scenario Outline: Tiles slide toward <edge> in the window and the terminal
    Given a server
    And the board
      | . | 2 | .  | 4  |
      | 8 | . | 16 | .  |
      | . | 8 | .  | 4  |
      | 2 | . | 16 | .  |
    And the window is open
    And the terminal is open
    When I move <edge>
    Then every screen shows the game
    And 1 new tile has come

    Examples:
      | edge  |
      | LEFT  |
      | UP    |
      | RIGHT |
      | DOWN  |

  Scenario: The largest tiles have room
    Given a server
    And the board
      | 131072 | 65536 | 32768 | 16384 |
      | 8192   | 4096  | .     | .     |
      | .      | .     | .     | .     |
      | .      | .     | .     | 2     |
    And every kind of screen is open
    Then every screen shows the game
