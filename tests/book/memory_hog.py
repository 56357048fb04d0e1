"""A module for child processes that takes what it is asked to take."""


def answer(asked):
    if asked == b"memory":
        bytearray(1 << 30)
    while asked == b"time":
        pass
    if asked == b"error":
        raise ValueError
    return b"done"
