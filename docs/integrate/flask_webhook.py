from affiliate_programme_client import WebhookVerificationError, verify_webhook
from flask import Flask, request


def create_app(secrets, on_event):
    """`on_event` may be called twice for one event: act once for each `event.id`."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 1024 * 1024

    @app.post("/webhooks")
    def receive():
        try:
            # The bytes as they came: the signature is of them.
            event = verify_webhook(request.get_data(), request.headers, secrets)
        except WebhookVerificationError as error:
            return str(error), 400
        on_event(event)
        return "", 204

    return app
