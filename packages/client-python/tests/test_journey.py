"""A merchant's way through the service, by the guide's own examples."""

from __future__ import annotations

import importlib.util
import threading
import uuid
from pathlib import Path
from typing import Any

import pytest
from affiliate_programme_client import AffiliateClient, AffiliateError
from conftest import Service
from werkzeug.serving import make_server


def example(service: Service, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, Path(service.guide) / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def order(service: Service, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"order_{uuid.uuid4()}",
        "click_id": None,
        "promo_code": service.promo_code,
        "amount_cents": 4_900,
        "currency": "usd",
        "customer_id": f"customer_{uuid.uuid4()}",
        **fields,
    }


def test_reports_sales(service: Service, client: AffiliateClient) -> None:
    report_sale = example(service, "report_sale").report_sale
    first = order(service)
    sale = report_sale(client, first)
    assert sale.attributed and sale.commission.amount_cents > 0
    assert report_sale(client, first) is None
    nobody = order(service, promo_code=None)
    assert report_sale(client, nobody) is None
    refund = client.conversions.refund(
        conversion_id=sale.id, external_refund_id=str(uuid.uuid4()), amount_cents=900
    )
    assert refund.amount_cents == 900
    with pytest.raises(AffiliateError) as failure:
        client.conversions.report(external_transaction_id="", event_type="purchase")
    assert failure.value.code == "VALIDATION_ERROR"
    assert failure.value.details[0]["field"] == "external_transaction_id"
    assert failure.value.operation == "conversions.report"


def test_reports_a_sign_up(service: Service, client: AffiliateClient) -> None:
    report_sign_up = example(service, "sign_up").report_sign_up
    user = {"id": f"user_{uuid.uuid4()}", "click_id": None, "promo_code": service.promo_code}
    assert report_sign_up(client, user).attributed is True
    later = order(service, promo_code=None, customer_id=user["id"])
    assert example(service, "report_sale").report_sale(client, later).attributed is True
    assert report_sign_up(client, {**user, "id": "nobody", "promo_code": None}) is None


def test_walks_a_list_that_changes(service: Service, client: AffiliateClient) -> None:
    report_sale = example(service, "report_sale").report_sale
    for _ in range(5):
        report_sale(client, order(service))
    known = [row.id for row in client.conversions.list().to_list()]
    met = []
    for row in client.conversions.list(limit=2):
        met.append(row.id)
        if len(met) == 2:
            report_sale(client, order(service))
    assert met == known
    assert len(client.conversions.list(limit=2).to_list(limit=3)) == 3
    assert client.conversions.list(limit=1).page().total == len(known) + 1


def test_receives_webhooks(service: Service, manager: AffiliateClient) -> None:
    secrets: list[str] = []
    events: list[Any] = []
    app = example(service, "flask_webhook").create_app(secrets, events.append)
    server = make_server("127.0.0.1", 0, app)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/webhooks"
    endpoint = manager.webhooks.create(url=url, events=["*"])
    assert manager.webhooks.ping(id=endpoint.id).http_status_code == 400
    secrets.append(endpoint.signing_secret)
    assert manager.webhooks.ping(id=endpoint.id, event_type="commission.approved").success is True
    assert [(event.type, event.is_test) for event in events] == [("commission.approved", True)]
    manager.webhooks.delete(id=endpoint.id)
    server.shutdown()


def test_manages(service: Service, manager: AffiliateClient) -> None:
    programme = manager.programmes.create(
        name="Python", website_url="https://www.shop.example",
        commission={"type": "percentage", "rateBps": 2_000},
    )
    partner = manager.partners.add(
        program_id=programme.id, email="anna@partner.example", name="Anna"
    )
    assert partner.referral_code and partner["referralCode"] == partner.referral_code
    rows = manager.commissions.list_of_program(program_id=programme.id, status="pending").to_list()
    assert rows == []
