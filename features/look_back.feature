Feature: Looking back
  Any position of any game can be looked at again, and the game goes on meanwhile.

  Background:
    Given a server that keeps its games
    And a game from seed 11

  Scenario: A move of the running game is looked at again
    When I play 12 moves
    And I look back at move 5
    Then I see the board as it was then
    And 12 moves have been played

  Scenario: The start is a position too
    When I play 8 moves
    And I look back at move 0
    Then I see the board as it was then

  Scenario: Nobody can look further than the game has come
    When I play 3 moves
    And I look back at move 4
    Then it says "no position after move 4"

  Scenario: A game that was left can be looked at
    When I play 9 moves
    And I start a new game
    And I look back at move 6 of the game before
    Then I see the board as it was then
    And 0 moves have been played

  Scenario: Who chose a move is remembered with it
    When I play 2 moves
    And I hand the game to random
    And I watch 10 moves
    And I take the game back
    And I look back at move 2
    Then I see that human made it

  Scenario: A player's moves are looked at while it plays on
    When I hand the game to random
    And I watch 20 moves
    And I look back at move 7
    Then I see that random made it

  Scenario: The past survives the end of the server
    When I play 12 moves
    And the server is killed and started again
    And I look back at move 11
    Then I see the board as it was then
