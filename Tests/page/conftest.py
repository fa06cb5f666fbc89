"""Sparring's live page in a real browser, against the real binary.

    python -m pytest Tests/page --binary .build-test/debug/sparring            # all
    python -m pytest Tests/page --binary .build-test/debug/sparring -m short   # one test of each file
"""

import pytest
from playwright.sync_api import sync_playwright

from server import ROOT, Server
from window import Window


def pytest_addoption(parser):
    parser.addoption("--binary", default=str(ROOT / ".build-test/debug/sparring"), help="sparring")
    parser.addoption("--chromium", default="/usr/bin/chromium", help="the browser")


def pytest_configure(config):
    config.addinivalue_line("markers", "short: one test of each file, to be run often")


@pytest.fixture(scope="session")
def binary(request):
    return request.config.getoption("--binary")


@pytest.fixture(scope="module")
def start(binary, tmp_path_factory):
    """Starts a server with options; all end with the file of tests."""
    servers = []

    def begin(*options):
        servers.append(Server(binary, tmp_path_factory.mktemp("server"), *options))
        return servers[-1]

    yield begin
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def server(start):
    return start("--no-tls")


@pytest.fixture(scope="session")
def browser(request):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=request.config.getoption("--chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def window(browser):
    """Opens a window of its own; whatever its page complains about fails the test."""
    windows = []

    def begin(width=1400, height=900, **more):
        windows.append(Window(browser, width, height, **more))
        return windows[-1]

    yield begin
    complaints = [words for one in windows for words in one.close()]
    assert not complaints


@pytest.fixture
def page(window):
    return window()


@pytest.fixture
def record(request, capsys):
    """Prints a figure, whether the test passes or not."""

    def say(name, value):
        with capsys.disabled():
            print(f"\n    {request.node.name}: {name}: {value}", end="", flush=True)

    return say
