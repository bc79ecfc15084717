"""The client of one service with one credential."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import httpx

from .calls import CallOptions, Operation
from .generated.resources import Resources
from .hooks import RequestInfo, ResponseInfo
from .options import check_base_url, check_credentials, check_mode, check_numbers
from .transport import Settings, send


class AffiliateClient(Resources):
    """A resource for each group of the API, a method an operation: `client.conversions.report(...)`.

    `api_key` is a key, `access_token` or `get_access_token` a person's token, asked for before each try.
    `timeout` is of one try, `deadline` of all tries and waits together, `max_wait` the longest
    Retry-After that is waited for; all in seconds. What a hook raises is ignored. ValueError for a bad
    option, with a sentence.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str = "",
        *,
        access_token: str | None = None,
        get_access_token: Callable[[], str | None] | None = None,
        mode: str | None = None,
        timeout: float = 30.0,
        deadline: float | None = None,
        max_retries: int = 3,
        max_wait: float = 120.0,
        http_client: httpx.Client | None = None,
        on_request: Callable[[RequestInfo], None] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
    ) -> None:
        check_credentials(api_key, access_token)
        check_mode(mode, api_key)
        check_numbers(timeout=timeout, deadline=deadline, max_wait=max_wait)
        self._settings = Settings(
            base_url=check_base_url(base_url),
            api_key=api_key,
            access_token=access_token,
            get_access_token=get_access_token,
            mode=mode,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
            max_wait=max_wait,
            on_request=on_request,
            on_response=on_response,
        )
        self._http = http_client or httpx.Client()
        super().__init__(self._send)

    def _send(self, operation: Operation, fields: Mapping[str, Any], options: CallOptions) -> Any:
        return send(self._http, self._settings.of(options), operation, fields)

    def close(self) -> None:
        """Ends its connections."""
        self._http.close()

    def __enter__(self) -> AffiliateClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
