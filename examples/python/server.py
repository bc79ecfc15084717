"""A shop with nothing but Python's standard library: the tag, a hidden field, one request."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API_URL = os.environ["AFFILIATE_API_URL"]
PUBLIC_KEY = os.environ["AFFILIATE_PUBLIC_KEY"]
SECRET_KEY = os.environ["AFFILIATE_SECRET_KEY"]

PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8"><title>A shop in Python</title><link rel="icon" href="data:,">
<script async src="{API_URL}/v1/selgeo.js" data-merchant="{PUBLIC_KEY}" data-keep></script>
<h1>One bag of coffee, $49</h1>
<form action="/orders" method="post"><input type="hidden" name="click_id"><button>Buy</button></form>
<script>
  (window.__selgeoQueue = window.__selgeoQueue || []).push(function (selgeo) {{
    selgeo.ready(function (clickId) {{
      document.querySelector('[name=click_id]').value = clickId || '';
    }});
  }});
</script>
</html>"""


def report_sale(order_id, click_id, amount_cents):
    """Tells of a sale once the money is certain. The same order again changes nothing."""
    request = urllib.request.Request(
        f"{API_URL}/api/v1/conversions",
        method="POST",
        headers={"Authorization": f"Bearer {SECRET_KEY}", "Content-Type": "application/json"},
        data=json.dumps(
            {
                "external_transaction_id": order_id,
                "event_type": "purchase",
                "click_id": click_id,
                "amount_cents": amount_cents,
                "currency": "usd",
            }
        ).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=15) as answer:
            return json.load(answer)["attributed"]
    except urllib.error.HTTPError as error:
        # Nobody sent this buyer, or the order was reported before.
        if json.load(error)["code"] in ("NO_ATTRIBUTION_SIGNAL", "CONVERSION_DUPLICATE"):
            return False
        raise


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(PAGE if urllib.parse.urlsplit(self.path).path == "/" else "")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        click_id = dict(urllib.parse.parse_qsl(body)).get("click_id")
        # Here your shop takes the money.
        credited = report_sale(f"python-{uuid.uuid4()}", click_id, 4900)
        self.answer("Thank you. A partner is credited." if credited else "Thank you.")

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
