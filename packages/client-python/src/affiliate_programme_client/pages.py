"""Lists: a page, or the rows of it and all that follow."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, List, Mapping, TypeVar

from .records import Record

Row = TypeVar("Row")
MOST_ROWS = 100


class Page(Generic[Row]):
    """One page of a list."""

    def __init__(self, answer: Record) -> None:
        self.data: List[Row] = answer["data"]
        self.total: int = answer["total"]
        self.next_cursor: str | None = answer["nextCursor"]


class Paged(Generic[Row]):
    """Iterate over it for the rows of all pages: by cursors, so that whatever comes and goes meanwhile
    has no row skipped or met twice. Nothing is asked for before it is used."""

    def __init__(
        self, fields: Mapping[str, Any], size: str, load: Callable[[Mapping[str, Any]], Page[Row]]
    ) -> None:
        self._fields = fields
        self._size = size
        self._load = load

    def page(self) -> Page[Row]:
        """One page: as large as its caller or the API says."""
        return self._load({})

    def to_list(self, *, limit: int | None = None) -> List[Row]:
        """The rows of this page and all behind it, at most `limit` of them."""
        rows: List[Row] = []
        if limit is not None and limit <= 0:
            return rows
        for row in self:
            rows.append(row)
            if limit is not None and len(rows) >= limit:
                break
        return rows

    def __iter__(self) -> Iterator[Row]:
        size = {self._size: self._fields.get(self._size) or MOST_ROWS}
        more: Mapping[str, Any] = size
        while True:
            page = self._load(more)
            yield from page.data
            if page.next_cursor is None:
                return
            more = {**size, "cursor": page.next_cursor, "page": None}
