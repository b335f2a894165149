Feature: Handing the game over, and taking it back
  One game, whoever has it: a person hands it to a player of the server, takes it back at any moment, hands it to another.

  Background:
    Given a server

  Scenario: A player plays when it is given the game
    When I hand the game to rules
    And I watch 5 moves
    Then rules is driving
    And rules made the last move

  Scenario: A player that is stopped plays no more
    When I hand the game to random
    And I watch 5 moves
    And I take the game back
    And I play 1 move
    Then human is driving
    And 1 new tile has come

  Scenario: My move takes the game over
    When I hand the game to rules
    And I watch 5 moves
    And I play 1 move
    Then human is driving
    And human made the last move

  Scenario: What a player was thinking when I took over is never played
    When I hand the game to mcts
    And I play 1 move
    And I play 6 moves
    Then human is driving
    And 1 new tile has come

  Scenario: A new game leaves the player at work
    When I hand the game to random
    And I watch 5 moves
    And I start a new game
    And I watch 5 moves
    Then random is driving

  Scenario: Another player can take over in the middle
    When I hand the game to rules
    And I watch 5 moves
    And I hand the game to random
    And I watch 5 moves
    Then random is driving
    And random made the last move

  Scenario: A player plays on until the game is over
    Given the board
      | 16  | 32  | 16  | 32  |
      | 64  | 128 | 64  | 128 |
      | 16  | 32  | 16  | 32  |
      | 64  | 128 | .   | .   |
    When random plays to the end
    Then the game is over
    And random made the last move

  Scenario: A key in one browser tab takes the game over, and all tabs see it
    Given 2 browser tabs are watching
    When I hand the game to mcts
    And I watch 2 moves
    And I press ArrowLeft in one of the tabs
    Then human is driving
    And everybody watching sees the game as it is
