"""A cache that computes each value once, also for concurrent calls."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class SingleFlight(Generic[V]):
    """A bounded LRU cache; concurrent calls with the same key share one computation.

    >>> once = SingleFlight(100, len)
    >>> once(("a", 1), lambda: "drawn"), once(("a", 1), lambda: "drawn again")
    ('drawn', 'drawn')

    :param most: limit of the total size
    :param size: the size of one value
    """

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        self._most, self._size, self._cached_size = most, size, 0
        self._made: OrderedDict[tuple[object, ...], V] = OrderedDict()
        self._making: dict[tuple[object, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    def __call__(self, key: tuple[object, ...], make: Callable[[], V]) -> V:
        """The value under `key`, computed by `make` if missing."""
        with self._lock:
            if (value := self._find(key)) is not None:
                return value
            turn = self._making.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if (value := self._find(key)) is not None:
                    return value
            try:
                value = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            with self._lock:
                self._keep(key, value)
        return value

    def _find(self, key: tuple[object, ...]) -> V | None:
        if key in self._made:
            self._made.move_to_end(key)
        return self._made.get(key)

    def _keep(self, key: tuple[object, ...], made: V) -> None:
        self._drop(key)
        self._made[key] = made
        self._cached_size += self._size(made)
        while self._cached_size > self._most:
            self._drop(next(iter(self._made)))

    def _drop(self, key: tuple[object, ...]) -> None:
        if key in self._made:
            self._cached_size -= self._size(self._made.pop(key))
