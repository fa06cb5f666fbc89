"""What the app is configured with: each test has a sandbox of its own, named after it, or all have the one that `sparring run` made."""

import os

import pytest
import requests
from app import App

SANDBOXES = os.environ["SPARRING_URL"] + "/__admin/sandboxes"


def pytest_addoption(parser):
    parser.addoption("--tidy", action="store_true", help="delete each test's sandbox when the test has ended")


def pytest_report_header():
    return f"scenario {os.environ.get('SPARRING_SCENARIO')}, account {os.environ['SPARRING_LIVEPERSON_ACCOUNT_ID']}"


def teller(sandbox):
    """Tells Sparring what cannot be seen on the network."""
    def tell(mark):
        requests.post(f"{SANDBOXES}/{sandbox}/journal/marks", json={"mark": mark, "lane": "alice"}, timeout=30).raise_for_status()

    return tell


@pytest.fixture
def make_app(request):
    """Makes the test's sandbox, with what a test wants of it, and an app that is configured with it."""
    made = []

    def make(flow="implicit", habit=None, **form):
        name = request.node.name.removeprefix("test_").replace("_", "-")
        answer = requests.post(SANDBOXES, json={"name": name, **form}, timeout=30)
        assert answer.status_code == 201, answer.text
        made.append(answer.json())
        liveperson, identity = made[-1]["tenants"]["liveperson"], made[-1]["tenants"]["identity"]
        settings = {"lookup": made[-1]["tlsBaseURL"], "account": liveperson["accountId"], "app": "com.example.brand", "client": identity["clientId"],
                    "redirect": identity["redirectURI"], "authorize": identity["authorizationEndpoint"]}
        return App(settings, teller(name), flow, habit)

    yield make
    if request.config.getoption("--tidy"):
        for sandbox in made:
            requests.delete(f"{SANDBOXES}/{sandbox['id']}", timeout=30).raise_for_status()


@pytest.fixture
def app():
    """In the sandbox that `sparring run` made, configured by the environment alone."""
    told = {name: os.environ[f"SPARRING_{name}"] for name in
            ("TLS_URL", "LIVEPERSON_ACCOUNT_ID", "IDENTITY_CLIENT_ID", "IDENTITY_REDIRECT_URI", "IDENTITY_AUTHORIZATION_ENDPOINT")}
    settings = {"lookup": told["TLS_URL"], "account": told["LIVEPERSON_ACCOUNT_ID"], "app": "com.example.brand", "client": told["IDENTITY_CLIENT_ID"],
                "redirect": told["IDENTITY_REDIRECT_URI"], "authorize": told["IDENTITY_AUTHORIZATION_ENDPOINT"]}
    return App(settings, teller(os.environ["SPARRING_SANDBOX"]), habit=os.environ.get("APP_HABIT"))
