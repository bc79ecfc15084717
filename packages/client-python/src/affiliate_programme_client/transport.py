"""Sends a call as often as it takes, with one Idempotency-Key over all tries of a POST."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Mapping

import httpx

from .calls import CallOptions, Operation
from .errors import AffiliateError, error_of
from .hooks import RequestInfo, ResponseInfo
from .options import check_idempotency_key, check_mode, check_numbers
from .records import Record, wrap
from .requests import Sending, sending_of

#: An answer that is lost may have been one of success.
LOST = (0, 500, 502, 504)
REPEATED = (*LOST, 408, 429, 503)
#: Headers of the body as it travelled.
UNPACKED = ("content-encoding", "content-length", "transfer-encoding")
#: A key is held for so long by a process that died; a little more.
CLAIM_SECONDS = 62.0


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str | None
    access_token: str | None
    get_access_token: Callable[[], str | None] | None
    mode: str | None
    timeout: float
    deadline: float | None
    max_retries: int
    max_wait: float
    on_request: Callable[[RequestInfo], None] | None
    on_response: Callable[[ResponseInfo], None] | None
    idempotency_key: str | None = None
    headers: Mapping[str, str] | None = None

    def of(self, options: CallOptions) -> Settings:
        """With what one call says in its place."""
        check_mode(options.mode, self.api_key)
        check_idempotency_key(options.idempotency_key)
        check_numbers(timeout=options.timeout, deadline=options.deadline)
        given = {name: value for name, value in vars(options).items() if value is not None}
        return replace(self, **given)


@dataclass
class Progress:
    started_at: float
    attempt: int = 1
    #: Without those that waited for a key.
    retries: int = 0
    #: When the key was found held.
    held_at: float | None = None

    def spent(self) -> float:
        return time.monotonic() - self.started_at


def send(
    http: httpx.Client, settings: Settings, operation: Operation, fields: Mapping[str, Any]
) -> Any:
    """The answer of a success: a Record, a text, or None. Raises AffiliateError."""
    sending = sending_of(settings.base_url, operation, fields, settings.idempotency_key)
    progress = Progress(time.monotonic())
    was_lost = False
    while True:
        try:
            return _attempt(http, settings, operation, sending, progress)
        except AffiliateError as error:
            # What is gone after a try whose answer was lost was deleted by that try.
            if was_lost and operation.method == "DELETE" and error.status == 404:
                return None
            pause = _pause(error, settings, progress)
            if pause is None:
                raise
            was_lost = was_lost or error.status in LOST
            time.sleep(pause)
            progress.attempt += 1


def _pause(error: AffiliateError, settings: Settings, progress: Progress) -> float | None:
    """How long to wait before the next try; None: there is none."""
    if settings.max_retries == 0 or _is_over(error, settings, progress):
        return None
    wanted = _retry_after(error)
    back_off = min(8.0, 0.15 * 2.0**progress.attempt) * random.uniform(0.5, 1.0)
    pause = max(wanted, back_off)
    if wanted > settings.max_wait:
        return None
    if settings.deadline is not None and progress.spent() + pause >= settings.deadline:
        return None
    return pause


def _is_over(error: AffiliateError, settings: Settings, progress: Progress) -> bool:
    if error.code == "IDEMPOTENCY_IN_PROGRESS":
        if progress.held_at is None:
            progress.held_at = time.monotonic()
        return time.monotonic() - progress.held_at > CLAIM_SECONDS
    progress.retries += 1
    return progress.retries > settings.max_retries or error.status not in REPEATED


def _retry_after(error: AffiliateError) -> float:
    """What Retry-After asks for, as seconds or a time; 0 without one that can be read."""
    text = error.retry_after or ""
    if text.isdigit():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return 0.0
    return max(0.0, at.replace(tzinfo=at.tzinfo or timezone.utc).timestamp() - time.time())


def _attempt(
    http: httpx.Client,
    settings: Settings,
    operation: Operation,
    sending: Sending,
    progress: Progress,
) -> Any:
    """One try: its answer, or an AffiliateError."""
    timeout = settings.timeout
    if settings.deadline is not None:
        timeout = max(0.001, min(timeout, settings.deadline - progress.spent()))
    told = RequestInfo(
        operation.name, sending.method, sending.url, progress.attempt, sending.idempotency_key
    )
    _tell(settings.on_request, told)
    sent_at = time.monotonic()

    def answered(status: int, headers: Mapping[str, str]) -> None:
        request_id = headers.get("x-request-id")
        seconds = time.monotonic() - sent_at
        _tell(settings.on_response, ResponseInfo(told, status, request_id, headers, seconds))

    headers = {**sending.headers, **_credential_of(settings), **(settings.headers or {})}
    request = http.build_request(
        sending.method, sending.url, content=sending.body, headers=headers, timeout=timeout
    )
    try:
        response = _sent(http, request, sent_at + timeout)
    except httpx.TimeoutException as cause:
        answered(0, {})
        raise _unanswered("The service did not answer in time.", "TIMEOUT", operation) from cause
    except httpx.TransportError as cause:
        answered(0, {})
        raise _unanswered("The service cannot be reached.", "NETWORK_ERROR", operation) from cause
    answered(response.status_code, response.headers)
    return _read(response, operation)


def _sent(http: httpx.Client, request: httpx.Request, ends_at: float) -> httpx.Response:
    """The whole answer. A body that comes byte by byte is out of time like one that does not come."""
    # A redirect would turn a POST into a GET, and its answer into one of something else.
    response = http.send(request, stream=True, follow_redirects=False)
    try:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if time.monotonic() > ends_at:
                raise httpx.ReadTimeout("The body is too slow.", request=request)
    finally:
        response.close()
    kept = [(name, value) for name, value in response.headers.multi_items() if name not in UNPACKED]
    return httpx.Response(
        response.status_code, headers=kept, content=bytes(body), request=request
    )


def _read(response: httpx.Response, operation: Operation) -> Any:
    if response.is_redirect:
        raise _unexpected(response, operation, "a redirect")
    if not response.is_success:
        raise error_of(response, operation.name)
    if response.status_code == 204:
        return None
    kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
    # The page of a portal, a firewall or a shop tells of nothing that was done.
    if kind not in operation.answers:
        raise _unexpected(response, operation, kind or "something without a type")
    if kind != "application/json":
        return response.text
    answer = wrap(response.json())
    if isinstance(answer, Record):
        answer._request_id = response.headers.get("x-request-id")
        answer._headers = response.headers
    return answer


def _unanswered(message: str, code: str, operation: Operation) -> AffiliateError:
    return AffiliateError(message, status=0, code=code, operation=operation.name)


def _unexpected(response: httpx.Response, operation: Operation, found: str) -> AffiliateError:
    return AffiliateError(
        f"The address answers with {found}, which the service does not: is base_url right?",
        status=response.status_code,
        code="UNEXPECTED_ANSWER",
        request_id=response.headers.get("x-request-id"),
        operation=operation.name,
    )


def _tell(hook: Callable[[Any], None] | None, told: Any) -> None:
    """A hook that fails ends no call: it is a logger's, and the sale is worth more."""
    if hook is None:
        return
    try:
        hook(told)
    except Exception:
        return


def _credential_of(settings: Settings) -> dict[str, str]:
    token = settings.api_key or settings.access_token
    if token is None and settings.get_access_token is not None:
        token = settings.get_access_token()
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    # A key has its mode in its prefix.
    if settings.mode is not None and settings.api_key is None:
        headers["X-Mode"] = settings.mode
    return headers
