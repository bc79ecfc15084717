from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from affiliate_programme_client import (
    WebhookSetupError,
    WebhookVerificationError,
    sign_for_test,
    verify_webhook,
)

SECRET = "whsec_" + "0123456789abcdef" * 4
OTHER = "whsec_" + "f" * 64
EVENT = {"type": "payout.created", "data": {"object": {"id": "Zoë"}}}


def test_returns_the_event_of_a_good_signature() -> None:
    body, headers = sign_for_test(SECRET, EVENT)
    upper = {name.upper(): value for name, value in headers.items()}
    for given in (headers, upper):
        event = verify_webhook(body, given, [OTHER, SECRET])
        assert (event.type, event.data.object.id, event.is_test) == ("payout.created", "Zoë", False)
    assert verify_webhook(*sign_for_test(SECRET, {**EVENT, "test": True}), SECRET).is_test is True


@pytest.mark.parametrize(
    ("change", "secrets"),
    [
        (lambda body, headers: (body + b" ", headers), SECRET),
        (lambda body, headers: (body, {**headers, "webhook-id": "other"}), SECRET),
        (lambda body, headers: (body, {**headers, "webhook-timestamp": "NaN"}), SECRET),
        (lambda body, headers: (body, {}), SECRET),
        (lambda body, headers: (body, headers), OTHER),
        (lambda body, headers: (body, headers), []),
    ],
)
def test_refuses_what_is_not_ours(change: Any, secrets: Any) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(*change(*sign_for_test(SECRET, EVENT)), secrets)


def test_refuses_another_time() -> None:
    late = datetime.now(timezone.utc) - timedelta(minutes=10)
    delivery = sign_for_test(SECRET, EVENT, at=late)
    with pytest.raises(WebhookVerificationError, match="time"):
        verify_webhook(*delivery, SECRET)
    assert verify_webhook(*delivery, SECRET, tolerance_seconds=3_600)


@pytest.mark.parametrize("secrets", ["", "whsec_", f'"{SECRET}"', f"{SECRET},{OTHER}", [SECRET, ""]])
def test_says_that_a_secret_is_none(secrets: Any) -> None:
    with pytest.raises(WebhookSetupError, match="secret") as failure:
        verify_webhook(*sign_for_test(SECRET, EVENT), secrets)
    assert "0123456789" not in str(failure.value)
