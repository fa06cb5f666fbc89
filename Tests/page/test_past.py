"""The past of a sandbox: to look at, and to go on from."""

import re

import pytest
from playwright.sync_api import expect

from server import until
from traffic import lively


@pytest.fixture
def scene(server):
    sandbox = server.sandbox()
    ada = lively(sandbox)
    yield sandbox, ada
    ada.wire.close_socket()


def first(sandbox, operation):
    return next(entry["number"] for entry in sandbox.entries() if entry.get("operation") == operation)


def open_panes(page):
    for pane in ("Conversations", "Devices & pushes", "Faults"):
        page.world.get_by_text(pane, exact=True).click()


@pytest.mark.short
def test_the_world_as_it_was_at_an_entry(scene, page):
    sandbox, ada = scene
    said = first(sandbox, "liveperson.publishText")
    before = sandbox.entries()
    page.open(sandbox)
    open_panes(page)
    transcript = page.world.get_by_role("log", name="Transcript")
    expect(transcript).to_contain_text("Let me look into it")
    expect(page.world).to_contain_text("liveperson.Login.* delay by=1s")
    page.world.locator("[aria-expanded]").first.click()
    expect(page.world).to_contain_text("Your parcel waits")

    page.travel(said)
    expect(transcript).to_contain_text("My card does not work")
    expect(transcript).not_to_contain_text("Let me look into it")
    expect(page.world).to_contain_text("No fault is armed.")
    expect(page.world).to_contain_text("No notification has arrived.")
    expect(page.world).not_to_contain_text("Your parcel waits")

    # Read-only: nothing that changes anything is there.
    expect(page.world.locator("form").and_(page.world.locator(":visible"))).to_have_count(0)
    for name in ("Freeze", "Resume", "Advance", "Remove", "New token", "Push", "Close", "Mint", "Reset"):
        expect(page.world.get_by_role("button", name=re.compile(f"^{name}"))).to_have_count(0)
    # What is new in the journal does not bring the present back.
    sandbox.call("POST", "journal/marks", {"mark": "later"})
    page.caught_up(sandbox)
    page.is_at(said)

    # The address names it, too.
    until(lambda: f"at={said}" in page.evaluate("location.search"))
    page.reload()
    page.is_at(said)
    expect(page.world.get_by_role("log", name="Transcript")).not_to_contain_text("Let me look into it")
    page.world.get_by_role("button", name="Back to now").click()
    expect(page.world.get_by_role("log", name="Transcript")).to_contain_text("Let me look into it")
    expect(page.world.get_by_role("button", name="Resume")).to_be_visible()
    assert sandbox.entries()[: len(before)] == before
    assert len(sandbox.entries()) == len(before) + 1


def test_the_slider_goes_through_the_past(scene, page):
    sandbox, ada = scene
    page.open(sandbox)
    open_panes(page)
    said = first(sandbox, "liveperson.publishText")
    slider = page.world.get_by_role("slider", name="As of entry")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.world).to_contain_text("Nobody has begun a conversation.")
    for _ in range(said - 1):
        page.keyboard.press("ArrowRight")
    page.is_at(said)
    expect(page.world).to_contain_text("read-only")
    expect(page.world.get_by_role("log", name="Transcript")).to_contain_text("My card does not work")
    expect(slider).to_be_focused()


def test_a_fork_opens_and_goes_on(scene, server, page):
    sandbox, ada = scene
    said = first(sandbox, "liveperson.publishText")
    page.open(sandbox)
    page.select(said)
    page.stream.get_by_role("grid").focus()
    page.keyboard.press("w")
    page.is_at(said)
    page.world.get_by_role("button", name="Fork from here").click()
    link = page.world.get_by_role("link")
    expect(link).to_be_visible()
    name = link.inner_text()
    expect(page.console_line.locator("code").first).to_contain_text(f"sparring sandbox fork {said}")

    link.click()
    page.wait_for_url(f"**/__sparring/{name}")
    page.until(f"store.sandbox === '{name}' && store.last >= {said}")
    heads = page.store("[...store.heads.values()].map(({ number, kind, cause }) => [number, kind, cause])")
    kept = [[entry["number"], entry["kind"], entry.get("cause")] for entry in sandbox.entries()]
    assert [head[:2] for head in heads[:said]] == [entry[:2] for entry in kept[:said]]
    open_panes(page)
    transcript = page.world.get_by_role("log", name="Transcript")
    expect(transcript).to_contain_text("My card does not work")
    expect(transcript).not_to_contain_text("Let me look into it")
    # The two part here.
    server.call("POST", f"sandboxes/{name}/liveperson/agent/say", {"consumer": "ada", "text": "A different answer"})
    expect(transcript).to_contain_text("A different answer")
    assert "A different answer" not in str(sandbox.entries())
