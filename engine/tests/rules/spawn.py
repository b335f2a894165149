"""The spawn function with Python's unbounded integers, from its description alone.

Reads lines "seed n ; sixteen values ; ..." from standard input and writes them with the square and the value:
python3 spawn.py < spawn_vectors.txt must write spawn_vectors.txt itself, apart from the lines that start with #.
"""

import sys

WORD = 2**64


def mix(word):
    word = (word ^ word // 2**30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word // 2**27) * 0x94D049BB133111EB % WORD
    return word ^ word // 2**31


def spawn(seed, n, empty):
    word = mix((mix(seed) + (n + 1) * 0x9E3779B97F4A7C15) % WORD)
    upper, lower = divmod(word, 2**32)
    square = empty[lower * len(empty) // 2**32]
    return square, 4 if upper * 10 // 2**32 == 9 else 2


for line in sys.stdin:
    if not line.startswith("#"):
        seed_n, board = [part.strip() for part in line.split(";")[:2]]
        empty = [square for square, word in enumerate(board.split()) if word == "."]
        seed, n = map(int, seed_n.split())
        print(seed_n, ";", board, ";", *spawn(seed, n, empty))
