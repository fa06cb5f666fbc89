"""What the page says of a server among others, and of a sandbox that ends by itself."""

import pytest
from playwright.sync_api import expect


@pytest.mark.short
def test_a_sandbox_ends_before_ones_eyes(start, page):
    server = start("--no-tls", "--node", "a")
    sandbox = server.sandbox(ttl="4s", ttlRenews=False)
    page.open(sandbox)
    bar = page.get_by_role("banner")
    expect(bar).to_contain_text("node a, ends 20")
    expect(page.connection).to_contain_text("ended at", timeout=20_000)
    expect(page.connection).to_contain_text("it was made for 4 s")
    expect(page.connection).to_contain_text(sandbox.name)


def test_a_sandbox_is_deleted_before_ones_eyes(server, page):
    sandbox = server.sandbox()
    page.open(sandbox)
    expect(page.get_by_role("banner")).not_to_contain_text("node")
    server.call("DELETE", f"sandboxes/{sandbox.name}")
    expect(page.connection).to_contain_text("was deleted")
