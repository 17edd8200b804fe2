"""The arena: bots play the same deals in rotated seats, and what came of it is measured.

`schedule` says who plays what, `match` plays one game, `workers` and `cluster` play many at once,
`results` is the file that grows by a line a game, `statistics` and `ratings` say what it means.
"""
