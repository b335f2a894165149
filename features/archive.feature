Feature: The games that were played
  Every game is kept with all of its moves, whoever played it and however it ended.

  Background:
    Given a server that keeps its games

  Scenario: A finished game is kept
    When random plays to the end
    And I start a new game
    Then the archive has 1 game that is over
    And 0 moves have been played

  Scenario: A game that was given up is kept
    When I play 5 moves
    And I start a new game
    Then the archive has 1 game that is abandoned

  Scenario: Only games with a move are kept
    When I start a new game
    And I start a new game
    Then the archive has 0 games that are abandoned

  Scenario: A game is found by who played it
    When random plays to the end
    And I start a new game
    And I play 3 moves
    Then the archive has 1 game of random
    And the archive has 1 game that is running

  Scenario: A player goes on with another game until it has played enough
    When random plays 3 games
    Then the archive has 3 games of random
    And the archive has 3 games that are over

  Scenario: A copy of a game can be brought back
    Given a game from seed 7
    When I play 10 moves
    And I copy the game and bring it back
    Then the archive has 1 game that is imported
    And 10 moves have been played

  Scenario: A copy that somebody has changed is turned away
    Given a game from seed 7
    When I play 10 moves
    And I copy the game, change its move 4 and bring it back
    Then it says "move"
    And the archive has 0 games that are imported
