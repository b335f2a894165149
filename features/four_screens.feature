Feature: One game on four kinds of screen
  The page, the window, the terminal and a plain stream of events show one game. What happens in any of them is in all.

  Scenario: A move in any of them is seen in all
    Given a server
    And every kind of screen is open
    When I play a move in the page
    And I play a move in the window
    And I play a move in the terminal
    And I play a move in the stream
    Then 4 moves have been played
    And every screen shows the game

  Scenario Outline: Every screen says who took over in the <screen>
    Given a server
    And every kind of screen is open
    When I hand the game to random, slowly
    And I take over in the <screen>
    Then every screen names who took over from random
    And human is driving

    Examples:
      | screen   |
      | page     |
      | window   |
      | terminal |
      | stream   |
