"""What the client refuses at once, with a sentence."""

from __future__ import annotations

import re
from urllib.parse import urlsplit


def check_base_url(base_url: object) -> str:
    """The address without slashes at its end. ValueError for what is none."""
    wanted = "base_url wants the address of the service, such as https://api.example.com"
    if not isinstance(base_url, str) or not re.match(r"https?://[^/]", base_url, re.I):
        raise ValueError(f"{wanted}, not {base_url!r}.")
    parts = urlsplit(base_url)
    if parts.username or parts.password:
        raise ValueError(f"{wanted}, without a name and password.")
    if parts.query or parts.fragment:
        raise ValueError(f"{wanted}, without a query or fragment.")
    return base_url.rstrip("/")


def check_credentials(api_key: object, access_token: object) -> None:
    """Says nothing of what it was given: it may be another secret."""
    if api_key is not None and not _matches(r"[psm]k_(test|live)_[\x21-\x7e]+", api_key):
        raise ValueError(
            "api_key wants a key as it was shown: pk_, sk_ or mk_, then test_ or live_, and no white space."
        )
    if access_token is not None and not _matches(r"[\x21-\x7e]*", access_token):
        raise ValueError("access_token has white space or characters that no token has.")


def check_mode(mode: str | None, api_key: str | None) -> None:
    if mode is None:
        return
    if mode not in ("test", "live"):
        raise ValueError(f"mode is 'test' or 'live', not {mode!r}.")
    if api_key is not None and api_key.split("_")[1] != mode:
        raise ValueError(f"mode is {mode!r}, and the api_key is of the other one.")


def check_idempotency_key(key: str | None) -> None:
    if key is not None and not _matches(r"[\x20-\x7e]{1,255}", key):
        raise ValueError("idempotency_key wants 1 to 255 letters, digits or signs of ASCII.")


def check_numbers(**numbers: float | None) -> None:
    for name, number in numbers.items():
        if number is not None and not number > 0:
            raise ValueError(f"{name} wants seconds, more than 0, not {number}.")


def _matches(pattern: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None
