Feature: A hosted model plays
  The server measures what each open move does, a model elsewhere judges. Whatever goes wrong there, the game goes on by the
  corner rules, and everybody sees that it does, and why.

  Scenario: The model is offered first where there is a key for it
    Given a server with a model that answers
    Then the players on offer begin with jev, mcts

  Scenario: Without a key it is missing, and that is said
    Given a server
    When I hand the game to jev
    Then it says "jev is not available"
    And the players on offer begin with mcts

  Scenario: It plays what the model chooses
    Given a server with a model that answers
    And the board
      | 2 | . | . | . |
      | 4 | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I hand the game to jev
    And I watch 3 moves
    Then jev is driving
    And jev made the last move
    And the model was shown the board
    And the transcript says "played RIGHT"

  Scenario Outline: Where the model <does>, the rules play and the reason is shown
    Given a server with a model that <does>
    And the board
      | 2 | . | . | . |
      | 4 | . | . | . |
      | . | . | . | . |
      | . | . | . | . |
    When I hand the game to jev
    And I watch 2 moves
    Then fallback made the last move
    And it says "<reason>"
    And the transcript says "fell back to"

    Examples:
      | does                         | reason                              |
      | doubts                       | confidence 0.02 below 0.15          |
      | names a move that is not one | SIDEWAYS is not legal on this board |
      | quotes the key               | Jev unavailable, rules is playing   |

  Scenario: The only open move is not asked about
    Given a server with a model that answers
    And the board
      | 2 | . | . | . |
      | 4 | . | . | . |
      | 2 | . | . | . |
      | 4 | . | . | . |
    When I hand the game to jev
    And I watch 1 moves
    Then the transcript says "not asked: only one legal move"

  Scenario: My move does not wait for a silent model
    Given a server with a model that says nothing
    When I hand the game to jev
    And I play 1 move
    Then human is driving
    And 1 new tile has come
    And the transcript says "cancelled"

  Scenario: When all that it may ask is spent it stops, and every screen says so
    Given a server with a model that may be asked 2 times
    And the page is open
    And the terminal is open
    When I hand the game to jev
    Then the page says "the 2 requests of this session are spent"
    And the terminal says "agent stopped: Budget: the 2 requests"
    And the transcript says "not asked: the 2 requests of this session are spent"

  Scenario: The key stays where it is
    Given a server with a model that quotes the key
    When I hand the game to jev
    And I watch 3 moves
    Then the transcript says "key refused"
    And the key is in nothing that anybody sees
