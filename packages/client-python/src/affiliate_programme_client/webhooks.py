"""Webhooks: Standard Webhooks, verified and made for tests."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
import uuid
from datetime import datetime, timezone
from typing import Any, Mapping, Sequence, cast

from .generated.models import WebhookEvent
from .records import Record


class WebhookVerificationError(Exception):
    """A delivery that is not ours, is too old, or was changed on the way: answer it with 400."""


class WebhookSetupError(Exception):
    """A secret that is none, which no delivery is to blame for: answer with 500."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    tolerance_seconds: float = 300,
) -> WebhookEvent:
    """The event of a delivery. `body` is the bytes as they came, before any parser; `secrets` the signing
    secret, or two while it is being rotated. `event.is_test` is true of a ping, whose object is an example.
    Raises WebhookVerificationError, and WebhookSetupError for a secret that is none."""
    found = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        found.get(f"webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    if not message_id or not timestamp or not signatures:
        raise _refused("headers are missing")
    if not re.fullmatch(r"\d+", timestamp) or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise _refused("the time is not now")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = signatures.split(" ")
    expected = [_signature(key, message_id, timestamp, raw) for key in _keys_of(secrets)]
    # All are compared, however early one fits.
    matches = [hmac.compare_digest(a.encode(), b.encode()) for a in expected for b in given]
    if not any(matches):
        raise _refused("no signature matches")
    event = json.loads(raw)
    is_test = event.get("test") is True or event.get("type") == "webhook.test"
    return cast(WebhookEvent, Record({**event, "is_test": is_test}))


def sign_for_test(
    secret: str, event: Mapping[str, Any], at: datetime | None = None
) -> tuple[bytes, dict[str, str]]:
    """Body and headers of a delivery as the service sends it, for tests of a receiver. Of the event no more
    than `type` and `data` must be given."""
    at = at or datetime.now(timezone.utc)
    envelope = {
        "id": f"evt_{uuid.uuid4()}",
        "api_version": "v1",
        "mode": "test",
        "created_at": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "sequence": 1,
        **event,
    }
    body = json.dumps(envelope).encode()
    timestamp = str(int(at.timestamp()))
    signature = _signature(_keys_of(secret)[0], envelope["id"], timestamp, body)
    headers = {
        "content-type": "application/json",
        "webhook-id": envelope["id"],
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
    }
    return body, headers


def _signature(key: bytes, message_id: str, timestamp: str, body: bytes) -> str:
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _keys_of(secrets: str | Sequence[str]) -> list[bytes]:
    """The keys of all secrets. WebhookSetupError for one that is none, and does not show it."""
    several = [secrets] if isinstance(secrets, str) else list(secrets)
    return [_key_of(secret, i, len(several)) for i, secret in enumerate(several)]


def _key_of(secret: object, place: int, count: int) -> bytes:
    name = "The webhook's secret" if count == 1 else f"secrets[{place}] of the webhook"
    text = re.sub(r"^whsec_", "", secret) if isinstance(secret, str) else ""
    if not text:
        raise WebhookSetupError(f"{name} is empty: is its variable set?")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise WebhookSetupError(
            f"{name} has characters that no secret has, or is not whole: give it as it was shown."
        ) from None


def _refused(why: str) -> WebhookVerificationError:
    return WebhookVerificationError(f"The webhook is not verified: {why}")
