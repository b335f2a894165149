Feature: The same rules toward every edge
  A line of tiles is read from the edge it slides to; what becomes of it does not depend on which edge that is.

  Scenario Outline: A line packs <edge>
    Given the line <line> in every lane toward <edge>
    When the tiles slide <edge>
    Then every lane toward <edge> is <packed>

    Examples: a gap closes
      | edge  | line    | packed  |
      | UP    | . 2 . 4 | 2 4 . . |
      | DOWN  | . 2 . 4 | 2 4 . . |
      | LEFT  | . 2 . 4 | 2 4 . . |
      | RIGHT | . 2 . 4 | 2 4 . . |

    Examples: the pair nearest the edge merges
      | edge  | line    | packed  |
      | UP    | 2 2 2 . | 4 2 . . |
      | DOWN  | 2 2 2 . | 4 2 . . |
      | LEFT  | 2 2 2 . | 4 2 . . |
      | RIGHT | 2 2 2 . | 4 2 . . |

    Examples: a new tile waits for the next move
      | edge  | line    | packed  |
      | UP    | 4 2 . 2 | 4 4 . . |
      | DOWN  | 4 2 . 2 | 4 4 . . |
      | LEFT  | 4 2 . 2 | 4 4 . . |
      | RIGHT | 4 2 . 2 | 4 4 . . |

  Scenario Outline: A packed line stays where it is, <edge>
    Given the line 2 4 2 . in every lane toward <edge>
    When the tiles slide <edge>
    Then nothing has changed

    Examples:
      | edge  |
      | UP    |
      | DOWN  |
      | LEFT  |
      | RIGHT |

  Scenario: A board that is turned or mirrored moves alike
    Given the board
      | 2 | 2  | 8  | . |
      | 4 | .  | 8  | 2 |
      | . | 16 | 16 | 4 |
      | 2 | .  | 4  | 4 |
    Then every turn and mirror of the board moves alike
