"""What hooks are told: nothing of a credential or body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping


@dataclass(frozen=True)
class RequestInfo:
    """One try of a call, before it is sent. `attempt` counts from 1."""

    operation: str
    method: str
    url: str
    attempt: int
    idempotency_key: str | None


@dataclass(frozen=True)
class ResponseInfo:
    """Its answer; `status` is 0 when nothing answered."""

    request: RequestInfo
    status: int
    request_id: str | None
    headers: Mapping[str, str]
    seconds: float
