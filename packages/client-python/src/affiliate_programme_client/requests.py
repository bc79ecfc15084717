"""What a call sends."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from typing import Any, Mapping
from urllib.parse import quote, urlencode

from .calls import Operation
from .generated.version import VERSION


@dataclass(frozen=True)
class Sending:
    """A request, but for its credential."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None

    @property
    def idempotency_key(self) -> str | None:
        return self.headers.get("Idempotency-Key")


def sending_of(
    base_url: str, operation: Operation, fields: Mapping[str, Any], key: str | None
) -> Sending:
    """ValueError for a field of the path that is missing."""
    rest = dict(fields)

    def taken(found: re.Match[str]) -> str:
        value = rest.pop(found.group(1), None)
        if value is None or value == "":
            raise ValueError(f"{found.group(1)} is missing")
        return quote(str(value), safe="")

    path = re.sub(r"\{(\w+)\}", taken, operation.path)
    query = _take_query(operation, rest)
    body = _body_of(operation, rest)
    headers = {"User-Agent": f"affiliate-programme-client-python/{VERSION}"}
    if body is not None:
        headers["Content-Type"] = operation.body_type
    if operation.method == "POST":
        headers["Idempotency-Key"] = key or secrets.token_hex(16)
    return Sending(operation.method, base_url + path + query, headers, body)


def _take_query(operation: Operation, rest: dict[str, Any]) -> str:
    names = list(rest) if operation.query is None else [n for n in operation.query if n in rest]
    pairs: list[tuple[str, str]] = []
    for name in names:
        value = rest.pop(name)
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return f"?{urlencode(pairs)}" if pairs else ""


def _body_of(operation: Operation, rest: Mapping[str, Any]) -> bytes | None:
    if operation.body_type != "application/json":
        return str(rest["body"]).encode()
    if not rest and not operation.needs_body:
        return None
    return json.dumps(rest).encode()
