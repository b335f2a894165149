Feature: Screens find the game again
  A screen that loses its server waits for it, and shows the game as it has become, by itself.

  Scenario: Again and again, while a player plays
    Given a server that keeps its games
    And the window is open
    And the terminal is open
    When I hand the game to random, slowly
    And the server is killed and started again, 10 times
    Then random is driving

  Scenario: What was played on the way is told in the terminal
    Given a server that keeps its games
    And the terminal is open
    When I play 3 moves
    And the server is killed and started again
    And I play 1 move
    Then the terminal says "the game continues at move"
    And the terminal shows the game

  Scenario: What was played on the way is told in the window
    Given a server that keeps its games
    And the window is open
    When I play 3 moves
    And the server is killed and started again
    And I play 1 move
    Then the window says "the game continues at move"
    And the window shows the game
