Feature: The searching player
  It plays games out at random from where the game stands, most of them where its search so far says that it matters,
  and plays the move that it looked at most.

  Scenario: It says how its search was shared among the moves
    Given the board
      | 64 | 32 | 16 | 8 |
      | 4  | 2  | .  | . |
      | 2  | .  | .  | . |
      | .  | .  | .  | . |
    When mcts chooses a move
    Then the choice is an open move
    And it gives shares that add up to one

  Scenario: It says how hard it looked
    Given the board
      | 64 | 32 | 16 | 8 |
      | 4  | 2  | .  | . |
      | 2  | .  | .  | . |
      | .  | .  | .  | . |
    When mcts chooses a move
    Then it says "rollouts over"
    And it says "deep"

  Scenario: Without any time it still answers
    Given the board
      | 64 | 32 | 16 | 8 |
      | 4  | 2  | .  | . |
      | 2  | .  | .  | . |
      | .  | .  | .  | . |
    When mcts chooses a move in 0 ms
    Then the choice is an open move
    And it gives shares that add up to one

  Scenario Outline: <player> keeps to its time
    Given the board
      | 64 | 32 | 16 | 8 |
      | 4  | 2  | .  | . |
      | 2  | .  | .  | . |
      | .  | .  | .  | . |
    When <player> chooses a move in 40 ms
    Then the choice is an open move
    And it has used its time and no more

    Examples:
      | player |
      | mcts   |
      | flat   |

  Scenario: A move that ends the game does not end the search
    Given the board
      | 2  | 2  | 8  | 16  |
      | 16 | 32 | 64 | 128 |
      | 4  | 8  | 16 | 32  |
      | 16 | 32 | 64 | 128 |
    When mcts chooses a move
    Then the choice is an open move
    And it gives shares that add up to one

  Scenario: One open move needs no search, and that is said
    Given the board
      | 2 | . | . | . |
      | 4 | . | . | . |
      | 2 | . | . | . |
      | 4 | . | . | . |
    When mcts chooses a move
    Then the choice is RIGHT
    And it says "only one legal move"
    And it gives no shares

  Scenario: The flat search answers without a tree
    Given the board
      | 64 | 32 | 16 | 8 |
      | 4  | 2  | .  | . |
      | 2  | .  | .  | . |
      | .  | .  | .  | . |
    When flat chooses a move
    Then the choice is an open move
    And it says "rollouts over"
    And it gives no shares
