"""The running service that the tests are given by the environment, with keys of test mode."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import pytest
from affiliate_programme_client import AffiliateClient


@dataclass(frozen=True)
class Service:
    url: str
    secret_key: str
    management_key: str
    promo_code: str
    guide: str


@pytest.fixture(scope="session")
def service() -> Service:
    return Service(**json.loads(os.environ["AFFILIATE_SERVICE"]))


@pytest.fixture
def client(service: Service) -> AffiliateClient:
    return AffiliateClient(service.secret_key, service.url)


@pytest.fixture
def manager(service: Service) -> AffiliateClient:
    return AffiliateClient(service.management_key, service.url)
