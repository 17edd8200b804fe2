"""The arena: bots play the same deals in rotated seats, and the results are measured.

`schedule` decides who plays what, `match` plays one game, `workers` and `cluster` play many at
once, `results` is the file that gains one line per game, `statistics` and `ratings` evaluate it.
"""
