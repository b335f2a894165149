Feature: Playing on a server
  The server keeps the game. Whoever plays asks it for a move and is told what became of the board.

  Background:
    Given a server

  Scenario: A new game has two tiles
    When I start a new game
    Then the board has 2 tiles
    And 0 moves have been played

  Scenario: A move is answered with what it did
    Given the board
      | 2 | 2 | . | . |
      | . | . | . | . |
      | . | . | 8 | . |
      | . | . | . | . |
    When I move LEFT
    Then 1 new tile has come
    And 1 move has been played
    And the score is 4
    And human made the last move

  Scenario: A move that changes nothing is answered so
    Given the board
      | 2 | 4 | . | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I move LEFT
    Then nothing has changed
    And the open moves are DOWN, RIGHT

  Scenario: A finished game takes no moves
    Given the board
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
      | 2 | 4 | 2 | 4 |
      | 4 | 2 | 4 | 2 |
    When I move LEFT
    Then nothing has changed
    And the game is over

  Scenario: A move toward nowhere is refused by name
    Given the board
      | 2 | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I move SIDEWAYS
    Then it says "SIDEWAYS is not one of UP, DOWN, LEFT, RIGHT"
    And nothing has changed

  Scenario: The players are offered in a fixed order
    Then the players on offer begin with mcts, rules, random, expectimax, ntuple, minimax, flat

  Scenario: A player that nobody knows is refused, and the known ones are named
    When I hand the game to gandalf
    Then it says "gandalf"
    And it says "mcts, rules, random"
    And human is driving

  Scenario: A game from a seed is the same on every server
    Given a game from seed 7
    When I play 20 moves
    Then playing it again from seed 7 gives the same board
