Feature: Surviving the end of the server
  What somebody was told has happened stays so, even when the server is killed in the middle of a game.

  Background:
    Given a server that keeps its games

  Scenario: A game goes on where it was
    When I play 20 moves
    And the server is killed and started again
    Then nothing has changed
    And 20 moves have been played

  Scenario: A game survives again and again
    When I play 5 moves
    And the server is killed and started again
    And I play 5 moves
    And the server is killed and started again
    And I play 5 moves
    And the server is killed and started again
    Then 15 moves have been played

  Scenario: A player goes on as if nothing had happened
    Given a game from seed 2601
    When I hand the game to rules
    And I watch 20 moves
    And the server is killed and started again
    And I watch 20 moves
    Then rules is driving
    And rules made the last move

  Scenario: A finished game stays finished
    Given the board
      | 2  | 2  | 8  | 16  |
      | 16 | 32 | 64 | 128 |
      | 4  | 8  | 16 | 32  |
      | 16 | 32 | 64 | 128 |
    When I move LEFT
    And the server is killed and started again
    Then nothing has changed
    And the game is over

  Scenario: A move that is sent twice is played once
    When I play 4 moves
    And the server is killed and started again
    And I send my last move once more
    Then nothing has changed
    And 4 moves have been played

  Scenario: The games before are still there
    When I play 6 moves
    And I start a new game
    And the server is killed and started again
    Then the archive has 1 game that is abandoned

  Scenario: Who is watching finds the game again
    Given 2 people are watching
    When I play 3 moves
    And the server is killed and started again
    And I play 3 moves
    Then everybody watching sees the game as it is

  Scenario: An open browser tab finds the game again
    Given 1 browser tab is watching
    When I play 3 moves
    And the server is killed and started again
    And I play 3 moves
    Then everybody watching sees the game as it is
