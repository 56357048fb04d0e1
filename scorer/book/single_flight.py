"""A cache that computes each value once, also for concurrent calls."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class SingleFlight(Generic[V]):
    """A bounded LRU cache; concurrent calls with the same key share one computation, unless it
    raises or its value is larger than the cache. Values are never None.

    >>> once = SingleFlight(100, len)
    >>> once(("a", 1), lambda: "drawn"), once(("a", 1), lambda: "drawn again")
    ('drawn', 'drawn')

    :param max_size: limit of the total size
    :param size: the size of one value
    """

    def __init__(self, max_size: int, size: Callable[[V], int]) -> None:
        self._max_size, self._size, self._cached_size = max_size, size, 0
        self._values: OrderedDict[tuple[object, ...], V] = OrderedDict()
        self._key_locks: dict[tuple[object, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    def __call__(self, key: tuple[object, ...], make: Callable[[], V]) -> V:
        """The value under `key`, computed by `make` if missing."""
        with self._lock:
            if (value := self._find(key)) is not None:
                return value
            key_lock = self._key_locks.setdefault(key, threading.Lock())
        with key_lock:
            with self._lock:
                if (value := self._find(key)) is not None:
                    return value
            try:
                value = make()
                with self._lock:
                    self._cache(key, value)
            finally:
                with self._lock:
                    self._key_locks.pop(key, None)
        return value

    def _find(self, key: tuple[object, ...]) -> V | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def _cache(self, key: tuple[object, ...], value: V) -> None:
        self._drop(key)
        self._values[key] = value
        self._cached_size += self._size(value)
        while self._cached_size > self._max_size:
            self._drop(next(iter(self._values)))

    def _drop(self, key: tuple[object, ...]) -> None:
        if key in self._values:
            self._cached_size -= self._size(self._values.pop(key))
