Feature: Playing in a terminal
  The keys play, every size is borne, and whoever leaves finds the terminal as it was.

  Background:
    Given a server
    And the board
      | . | .  | . | .  |
      | . | 2  | . | .  |
      | . | 16 | 8 | .  |
      | . | .  | . | 64 |
    And the terminal is open

  Scenario Outline: <key> plays
    When I press <key> in the terminal
    Then 1 move has been played
    And the terminal shows the game
    And human made the last move

    Examples:
      | key       |
      | ArrowLeft |
      | ArrowUp   |
      | s         |
      | l         |

  Scenario: A move that changes nothing is told
    Given the board
      | 2 | 4 | . | . |
      | . | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I press ArrowLeft in the terminal
    Then the terminal says "Left changes nothing."
    And nothing has changed

  Scenario: The start can be looked at right after a move
    When I press ArrowLeft and Home in the terminal
    Then the terminal says "Move 0 of 1"
    And 1 move has been played
    When I press End in the terminal
    Then the terminal shows the game

  Scenario: A key takes the game over from a player
    When I hand the game to random, slowly
    And I take over in the terminal
    Then every screen names who took over from random
    And human is driving

  Scenario: A terminal that is too small says so, and recovers
    When the terminal gets 20 columns and 6 lines
    Then the terminal says "29x9 needed"
    When I move LEFT
    And the terminal gets 80 columns and 24 lines
    Then the terminal shows the game

  Scenario: A new game is asked about
    When I press ArrowLeft in the terminal
    And I press n in the terminal
    Then the terminal says "Start a new game?"
    When I press y in the terminal
    Then 0 moves have been played
    And the terminal shows the game

  Scenario: Leaving leaves the game and the terminal as they were
    When I press ArrowLeft in the terminal
    Then 1 move has been played
    When I press q in the terminal
    Then the terminal is closed
    And 1 move has been played
