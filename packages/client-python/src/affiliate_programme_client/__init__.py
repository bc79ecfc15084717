"""The client of the Affiliate Programme Service."""

from .calls import CallOptions
from .client import AffiliateClient
from .errors import AffiliateError
from .generated.version import VERSION as __version__
from .hooks import RequestInfo, ResponseInfo
from .pages import Page, Paged
from .records import Record
from .webhooks import (
    WebhookSetupError,
    WebhookVerificationError,
    sign_for_test,
    verify_webhook,
)

__all__ = [
    "AffiliateClient",
    "AffiliateError",
    "CallOptions",
    "Page",
    "Paged",
    "Record",
    "RequestInfo",
    "ResponseInfo",
    "WebhookSetupError",
    "WebhookVerificationError",
    "__version__",
    "sign_for_test",
    "verify_webhook",
]
