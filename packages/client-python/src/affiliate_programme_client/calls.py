"""What the generated methods are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

from .pages import Page, Paged


class NotGiven:
    """A field that is left out; None is sent as null."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


@dataclass(frozen=True)
class CallOptions:
    """What one call may say beside its fields; some of it in place of the client's own. Seconds."""

    mode: str | None = None
    timeout: float | None = None
    deadline: float | None = None
    max_retries: int | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """How an operation is sent: its fields go into path, query and body by their names."""

    name: str
    method: str
    path: str
    #: Of a GET every field that is not of the path.
    query: tuple[str, ...] | None = None
    body_type: str = "application/json"
    needs_body: bool = False
    answers: tuple[str, ...] = ("application/json",)
    #: The field that says how many rows a page has.
    size: str = "limit"


Send = Callable[[Operation, Mapping[str, Any], CallOptions], Any]


class Resource:
    """A group of operations."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def _call(
        self, operation: Operation, fields: Mapping[str, Any], options: CallOptions | None
    ) -> Any:
        return self._send(operation, _given(fields), options or CallOptions())

    def _list(
        self, operation: Operation, fields: Mapping[str, Any], options: CallOptions | None
    ) -> Paged[Any]:
        given = _given(fields)

        def load(more: Mapping[str, Any]) -> Page[Any]:
            answer = self._send(operation, {**given, **more}, options or CallOptions())
            return Page(answer)

        return Paged(given, operation.size, load)


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}
