"""What the API answers, read by attributes."""

from __future__ import annotations

import re
from typing import Any, Iterator


class Record:
    """An object of an answer. `record.program_id` reads the field `programId` or `program_id`;
    `record["programId"]` the field of exactly that name, and `to_dict()` is all of it as it came."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        #: Of a whole answer: what names the request in the logs of the service, and its headers.
        self._request_id: str | None = None
        self._headers: Any = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        data = self.__dict__.get("_data", {})
        bare = name[:-1] if name.endswith("_") else name
        for field in (name, bare, _camel(bare)):
            if field in data:
                return wrap(data[field])
        raise AttributeError(f"The answer has no {name!r}; it has {', '.join(sorted(data))}.")

    def __getitem__(self, name: str) -> Any:
        return wrap(self._data[name])

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __eq__(self, other: object) -> bool:
        return self._data == (other._data if isinstance(other, Record) else other)

    def __repr__(self) -> str:
        return f"Record({self._data!r})"

    def to_dict(self) -> dict[str, Any]:
        """The object as it came, with the names of the API."""
        return self._data


def wrap(value: Any) -> Any:
    """Objects as records, also those in lists."""
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [wrap(one) for one in value]
    return value


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), name)
