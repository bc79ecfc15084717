"""What a call fails with."""

from __future__ import annotations

from typing import Any

import httpx


class AffiliateError(Exception):
    """The refusal of a call. Match on `code`. `status` is 0 and `code` NETWORK_ERROR or TIMEOUT when
    nothing answered; UNEXPECTED_ANSWER is a page in place of an answer; UNKNOWN an error without a code."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        details: list[dict[str, str]] | None = None,
        request_id: str | None = None,
        operation: str | None = None,
        retry_after: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details = details or []
        self.request_id = request_id
        self.operation = operation
        self.retry_after = retry_after


def error_of(response: httpx.Response, operation: str) -> AffiliateError:
    """Reads the API's error body; the page of a proxy has none."""
    body = _object_of(response)
    return AffiliateError(
        str(body.get("message") or f"The server answered {response.status_code}."),
        status=response.status_code,
        code=str(body.get("code") or "UNKNOWN"),
        details=body.get("details"),
        request_id=response.headers.get("x-request-id"),
        operation=operation,
        retry_after=response.headers.get("retry-after"),
    )


def _object_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
