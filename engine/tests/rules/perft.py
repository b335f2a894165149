"""Counts positions of 2048 with lists of numbers, sharing nothing with the engine but the rules.

Reads lines "sixteen values ; ..." from standard input and writes them with the counts of depths 0 to 3:
python3 perft.py < perft.txt must write perft.txt itself, apart from the lines that start with #.
"""

import sys


def slide_left(row):
    tiles = [tile for tile in row if tile]
    out = []
    while tiles:
        first = tiles.pop(0)
        if tiles and tiles[0] == first and first < 131072:
            tiles.pop(0)
            first *= 2
        out.append(first)
    return out + [0] * (4 - len(out))


def slides(rows):
    """The four boards after a slide: up, down, left, right."""
    columns = [list(column) for column in zip(*rows)]
    turn = lambda lines: [list(line) for line in zip(*lines)]
    back = lambda lines: [line[::-1] for line in lines]
    left = lambda lines: [slide_left(line) for line in lines]
    return [turn(left(columns)), turn(back(left(back(columns)))), left(rows), back(left(back(rows)))]


def count(rows, depth):
    if depth == 0:
        return 1
    total = 0
    for after in slides(rows):
        if after != rows:
            for row in range(4):
                for column in range(4):
                    if after[row][column] == 0:
                        for tile in (2, 4):
                            after[row][column] = tile
                            total += count(after, depth - 1)
                        after[row][column] = 0
    return total


for line in sys.stdin:
    if not line.startswith("#"):
        board = line.split(";")[0].strip()
        values = [0 if word == "." else int(word) for word in board.split()]
        rows = [values[i : i + 4] for i in range(0, 16, 4)]
        print(board, ";", *(count(rows, depth) for depth in range(4)))
