Feature: Watching a game
  Anybody can watch. Who watches sees every change as soon as the server has it, and never an old board after a newer one.

  Background:
    Given a server

  Scenario: Who comes sees the board at once
    Given the board
      | 2 | 4 | 8 | 16 |
      | . | . | . | .  |
      | . | . | . | .  |
      | . | . | . | 2  |
    And 1 person is watching
    Then everybody watching sees the game as it is

  Scenario: A move is seen by everybody
    Given the board
      | 2 | 2 | . | . |
      | . | . | . | . |
      | . | . | 8 | . |
      | . | . | . | . |
    And 3 people are watching
    When I move LEFT
    Then everybody watching sees the game as it is

  Scenario: A player's moves are seen by everybody
    Given 3 people are watching
    When I hand the game to random
    And I watch 20 moves
    And I take the game back
    Then everybody watching sees the game as it is

  Scenario: A new game is seen by everybody
    Given 2 people are watching
    When I play 5 moves
    And I start a new game
    Then everybody watching sees the game as it is
    And 0 moves have been played

  Scenario: Everybody knows how many are watching
    Given 3 people are watching
    When one of them leaves
    Then everybody watching knows that 2 people are

  Scenario: Who comes back sees the newest board
    Given 2 people are watching
    When one of them leaves
    And I play 10 moves
    And one of them comes back
    Then everybody watching sees the game as it is

  Scenario: Two tabs of a browser stay in step
    Given the board
      | 2 | 2 | . | . |
      | . | . | . | . |
      | . | . | 8 | . |
      | . | . | . | . |
    And 2 browser tabs are watching
    When I press ArrowLeft in one of the tabs
    Then everybody watching sees the game as it is
    And 1 move has been played
    And human made the last move
