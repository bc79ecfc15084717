from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from affiliate_programme_client import AffiliateClient, AffiliateError, CallOptions, __version__
from conftest import Service
from flaky import elapsed, first, flaky_proxy

HELD = (409, {"Retry-After": "0"}, json.dumps({"code": "IDEMPOTENCY_IN_PROGRESS"}).encode())


def sale(service: Service) -> dict[str, Any]:
    return {
        "external_transaction_id": f"order_{uuid.uuid4()}",
        "event_type": "purchase",
        "promo_code": service.promo_code,
        "amount_cents": 4_900,
        "currency": "usd",
    }


@pytest.mark.parametrize(
    "fate", ["drop", "hang", *[(status, {}, b"") for status in (408, 429, 500, 502, 503, 504)]]
)
def test_reports_a_sale_once_despite(service: Service, fate: Any) -> None:
    with flaky_proxy(service.url, first(fate)) as proxy:
        client = AffiliateClient(service.secret_key, proxy.url, timeout=3)
        order = sale(service)
        assert client.conversions.report(**order).attributed is True
        assert len(proxy.keys) == 2 and len(set(proxy.keys)) == 1
        assert proxy.agents[0] == f"affiliate-programme-client-python/{__version__}"
        rows = client.conversions.list(
            external_transaction_id=order["external_transaction_id"]
        ).to_list()
        assert len(rows) == 1


def test_waits_for_a_key_that_is_held(service: Service) -> None:
    with flaky_proxy(service.url, lambda n: HELD if n <= 3 else "pass") as proxy:
        client = AffiliateClient(service.secret_key, proxy.url, max_retries=1)
        assert client.conversions.report(**sale(service)).attributed is True
        assert len(proxy.keys) == 4


@pytest.mark.parametrize("fate", ["portal", (302, {"Location": "/api/v1/health"}, b"")])
def test_takes_no_page_for_a_success(service: Service, fate: Any) -> None:
    with flaky_proxy(service.url, first(fate)) as proxy:
        client = AffiliateClient(service.secret_key, proxy.url)
        with pytest.raises(AffiliateError, match="base_url") as failure:
            client.conversions.report(**sale(service))
        assert failure.value.code == "UNEXPECTED_ANSWER" and len(proxy.keys) == 1


def test_counts_what_is_gone_after_a_lost_answer_as_deleted(service: Service) -> None:
    with flaky_proxy(service.url, lambda n: "drop" if n == 2 else "pass") as proxy:
        manager = AffiliateClient(service.management_key, proxy.url)
        endpoint = manager.webhooks.create(url="http://127.0.0.1:2000", events=["*"])
        assert manager.webhooks.delete(id=endpoint.id) is None
        with pytest.raises(AffiliateError) as failure:
            manager.webhooks.delete(id=endpoint.id)
        assert failure.value.code == "WEBHOOK_NOT_FOUND"


@pytest.mark.parametrize("fate", ["hang", "slow"])
def test_is_out_of_time(service: Service, fate: Any) -> None:
    with flaky_proxy(service.url, lambda n: fate) as proxy:
        client = AffiliateClient(service.secret_key, proxy.url, max_retries=0, timeout=0.5)
        with pytest.raises(AffiliateError) as failure:
            client.conversions.report(**sale(service))
        assert (failure.value.status, failure.value.code) == (0, "TIMEOUT")


def test_ends_all_tries_by_its_deadline(service: Service) -> None:
    with flaky_proxy(service.url, lambda n: (503, {}, b"")) as proxy:
        client = AffiliateClient(service.secret_key, proxy.url, max_retries=50)

        def call() -> None:
            with pytest.raises(AffiliateError) as failure:
                client.conversions.report(**sale(service), options=CallOptions(deadline=1.5))
            assert failure.value.status == 503

        assert elapsed(call) < 10
        assert len(proxy.keys) > 1


def test_gives_up_at_once_on_a_long_wait(service: Service) -> None:
    with flaky_proxy(service.url, lambda n: (429, {"Retry-After": "3600"}, b"")) as proxy:
        client = AffiliateClient(service.secret_key, proxy.url)
        with pytest.raises(AffiliateError) as failure:
            client.conversions.list().page()
        assert failure.value.retry_after == "3600" and len(proxy.keys) == 1


def test_tells_hooks_of_each_try_and_nothing_secret(service: Service) -> None:
    told: list[Any] = []

    def failing(info: Any) -> None:
        told.append(info)
        raise RuntimeError("a logger that fails")

    with flaky_proxy(service.url, first("drop")) as proxy:
        client = AffiliateClient(
            service.secret_key, proxy.url, on_request=failing, on_response=failing
        )
        answer = client.conversions.report(**sale(service))
    assert [getattr(info, "status", None) for info in told] == [None, 0, None, 201]
    assert told[3].request_id == answer._request_id and answer._request_id
    assert service.secret_key not in repr(told)
