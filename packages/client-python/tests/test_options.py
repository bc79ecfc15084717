from __future__ import annotations

from typing import Any

import pytest
from affiliate_programme_client import AffiliateClient, CallOptions

KEY = "sk_test_x"
URL = "https://api.example.com"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"api_key": KEY}, "base_url wants"),
        ({"api_key": KEY, "base_url": "api.example.com"}, "base_url wants"),
        ({"api_key": KEY, "base_url": "https://a:b@example.com"}, "password"),
        ({"api_key": KEY, "base_url": f"{URL}?a=1"}, "query"),
        ({"api_key": "secret", "base_url": URL}, "api_key wants a key"),
        ({"api_key": f"{KEY}\n", "base_url": URL}, "white space"),
        ({"api_key": f"{KEY}€", "base_url": URL}, "api_key wants"),
        ({"access_token": "a b", "base_url": URL}, "access_token has"),
        ({"api_key": KEY, "base_url": URL, "mode": "prod"}, "mode is"),
        ({"api_key": KEY, "base_url": URL, "mode": "live"}, "other one"),
        ({"api_key": KEY, "base_url": URL, "timeout": 0}, "timeout wants"),
    ],
)
def test_refuses(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        AffiliateClient(**options)


@pytest.mark.parametrize(
    "options",
    [CallOptions(mode="live"), CallOptions(idempotency_key="€"), CallOptions(timeout=-1)],
)
def test_refuses_a_call_before_it_is_sent(options: CallOptions) -> None:
    client = AffiliateClient(KEY, "http://127.0.0.1:1")
    with pytest.raises(ValueError):
        client.conversions.list(options=options).page()


def test_refuses_an_empty_id() -> None:
    with pytest.raises(ValueError, match="conversionId"):
        AffiliateClient(KEY, URL).conversions.get(conversion_id="")
