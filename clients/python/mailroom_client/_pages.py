"""Lists, page by page."""
from __future__ import annotations

import itertools
from typing import Any, Callable, Generic, Iterator, List, NamedTuple, Optional, TypeVar

T = TypeVar("T")


class Page(NamedTuple):
    """A page as the service sends it."""

    items: List[Any]
    next_cursor: Optional[str]


class Pages(Generic[T]):
    """A list: a loop reads all of it, page by page; `page` reads one."""

    def __init__(self, read: Callable[[Optional[str]], Page]) -> None:
        self._read = read

    def page(self, cursor: Optional[str] = None) -> Page:
        """The first page, or the one at `cursor`."""
        return self._read(cursor)

    def all(self, max: Optional[int] = None) -> List[T]:
        """All items, or the first `max`."""
        return list(itertools.islice(self, max))

    def __iter__(self) -> Iterator[T]:
        cursor: Optional[str] = None
        while True:
            items, after = self._read(cursor)
            yield from items
            # The list of events always has a cursor, which stays the same while nothing happens.
            if after is None or (not items and after == cursor):
                return
            cursor = after
