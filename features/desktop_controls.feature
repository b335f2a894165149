Feature: Playing in the window
  The keys play whatever was clicked before. Leaving the window never ends the game.

  Background:
    Given a server
    And the board
      | . | .  | . | .  |
      | . | 2  | . | .  |
      | . | 16 | 8 | .  |
      | . | .  | . | 64 |
    And the window is open

  Scenario Outline: <key> plays
    When I press <key> in the window
    Then the window shows the game
    And 1 move has been played
    And human made the last move

    Examples:
      | key        |
      | ArrowLeft  |
      | ArrowUp    |
      | ArrowRight |
      | s          |
      | l          |

  Scenario: An arrow plays whatever was clicked last
    When I click on the board in the window
    And I press ArrowLeft in the window
    And I click beside the board in the window
    And I press Tab and Tab and ArrowUp in the window
    Then 2 moves have been played
    And the window shows the game

  Scenario: A key takes the game over from a player
    When I hand the game to random, slowly
    And I take over in the window
    Then every screen names who took over from random
    And human is driving

  Scenario: A new game is asked about
    When I press ArrowLeft and r and Escape in the window
    Then 1 move has been played
    When I press r and y in the window
    Then 0 moves have been played
    And the window shows the game

  Scenario: The past is looked at, and the way back is one key
    When I press ArrowLeft in the window
    And I press Home in the window
    Then the window says "Move 0 of 1"
    When I press End in the window
    Then the window shows the game

  Scenario: Leaving leaves the game as it is
    When I press ArrowLeft in the window
    Then 1 move has been played
    When I press Escape in the window
    Then the window is closed
    And 1 move has been played

  Scenario: A picture of the window can be looked at
    When I press ArrowLeft in the window
    Then the window shows the game
    And a picture of the window is kept
