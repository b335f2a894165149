Feature: What every player can do
  A player is shown a board and answers with a move. Whoever it is, it plays by the rules of the game.

  Scenario Outline: <player> picks an open move
    Given the board
      | 2 | 4  | 8 | 2 |
      | 4 | 8  | 2 | . |
      | 2 | 16 | 4 | 2 |
      | 4 | 8  | 2 | 4 |
    When <player> chooses a move
    Then the choice is an open move
    And nothing has changed

    Examples:
      | player     |
      | mcts       |
      | rules      |
      | random     |
      | expectimax |
      | ntuple     |
      | minimax    |
      | flat       |

  Scenario Outline: <player> takes the only move there is
    Given the board
      | 2 | . | . | . |
      | 4 | . | . | . |
      | 2 | . | . | . |
      | 4 | . | . | . |
    When <player> chooses a move
    Then the choice is RIGHT

    Examples:
      | player     |
      | mcts       |
      | rules      |
      | random     |
      | expectimax |
      | ntuple     |
      | minimax    |
      | flat       |

  Scenario Outline: <player> has no answer when the game is over
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
    When <player> chooses a move
    Then the choice is none
    And it says "no legal moves"

    Examples:
      | player     |
      | mcts       |
      | rules      |
      | random     |
      | expectimax |
      | ntuple     |
      | minimax    |
      | flat       |

  Scenario Outline: <player> chooses the same on the same board with the same luck
    Given the board
      | 2  | 2 | 4 | . |
      | 16 | 8 | . | . |
      | 2  | . | . | . |
      | .  | . | . | 2 |
    When <player> chooses a move
    Then asked again with the same luck it chooses the same

    Examples:
      | player     |
      | mcts       |
      | rules      |
      | random     |
      | expectimax |
      | ntuple     |
      | minimax    |
      | flat       |

  Scenario Outline: <player> plays a whole game
    Given a game from seed 11
    When <player> plays to the end
    Then the game is over
    And the score is more than 100

    Examples:
      | player     |
      | mcts       |
      | rules      |
      | random     |
      | expectimax |
      | ntuple     |
      | minimax    |
      | flat       |
