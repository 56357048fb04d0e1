"""A whole evening under each rule set, tap by tap, with the expected result of its first game."""

# Each tap is (kind of button, side, text on it). One game is played to its end and the next one
# begins. The taps use everything that only this region has.
TAPS = {
    "oberoesterreich": [
        ("raise", 0), ("answer", 1, "bleiben"), ("win", 0),              # 3:0
        ("raise", 1), ("raise", 0), ("answer", 1, "gehen"),              # 6:0
        ("undo",), ("redo",),
        ("win", 1),                                                      # 6:2
        ("win", 0),                                                      # 8:2, krank
        ("strike", 1),                                                   # 8:0
        ("raise", 1), ("answer", 0, "bleiben"), ("win", 1),              # 8:3
        ("penalty", 0, "Vergeben"),                                      # 8:5
        ("raised", 1, "+3"),                                              # 8:8
        ("win", 1),                                                      # 8:10, Retourschneider
        ("next",), ("win", 0),
    ],
    "bayern": [
        *[("win", 0)] * 6,                                               # 12:0
        ("raise", 1), ("answer", 0, "gehen"),                            # 12:2
        ("win", 0),                     # 14:2, gespannt
        ("answer", 0, "hergeben"),                                       # 14:4
        ("played", 1),                                                   # 14:7
        ("played", 0),                                                   # 17:7
        ("next",), ("win", 1),
    ],
    "suedtirol": [
        ("raise", 0), ("raise", 1), ("answer", 0, "gehen"),              # 0:2
        *[("win", 0)] * 8,                                               # 16:2, die 4 gehen
        ("answer", 0, "gehen"),                                          # 16:4
        ("answer", 0, "halten"), ("win", 1),                            # 16:8
        ("answer", 0, "halten"), ("win", 0),                            # 20:8
        ("next",), ("win", 1),
    ],
    "trentino": [
        ("raise", 0), ("answer", 1, "annehmen"), ("win", 1),             # 0:3
        *[("win", 1)] * 5,                                               # 0:13, counts 4
        ("win", 0),                                                      # 4:13
        ("win", 0), ("win", 0),                                          # 12:13, counts 3
        ("penalty", 0, "Regelwidrige Erhöhung"),                        # 12:16
        ("next",), ("win", 1),
    ],
    "frankreich": [
        ("raise", 0), ("answer", 1, "shauen"),
        ("raise", 0), ("answer", 1, "aufgeben"),                         # 5:0
        ("tricks", 1, "4 Stiche"),                                       # 5:3
        ("raise", 0), ("answer", 1, "shauen"), ("tricks", 0, "5 Stiche"),  # 12:3
        ("next",), ("tricks", 1, "3 Stiche"),
    ],
}  # fmt: skip
FIRST_GAMES = {
    "oberoesterreich": ([8, 10], "retourschneider"),
    "bayern": ([17, 7], "einfach"),
    "suedtirol": ([20, 8], "einfach"),
    "trentino": ([12, 16], "einfach"),
    "frankreich": ([12, 3], "einfach"),
}
