"""What the page draws over the entries: attempts of a retry, findings in the bodies that they are about."""

import json
import time

import pytest
from playwright.sync_api import expect

from traffic import Consumer


def register(ada, device, **more):
    """Asks for pushes, as a client does that may be wrong. Returns the status."""
    url = f"{ada.sandbox.server.url}/mock/pusher/account/{ada.account}/registrations/test.brand.app"
    body = {"deviceToken": device, "pushType": "APNS", "lang": "en-US", **more}
    headers = {"Authorization": f"Bearer {ada.token}", "X-Sparring-Lane": "ada"}
    return ada.sandbox.server.http.put(url, json=body, headers=headers, timeout=60).status_code


def test_attempts_are_drawn_over_their_entries(server, page):
    sandbox = server.sandbox()
    ada = Consumer(sandbox)
    sandbox.call("POST", "faults", {"fault": "liveperson.registerPush status code=503 times=2"})
    page.open(sandbox)
    began = time.monotonic()
    # The second is on time (1 s), the third comes at once where 2 s are due.
    assert register(ada, "740f4707bebcf74f") == 503
    time.sleep(max(0, began + 1 - time.monotonic()))
    assert register(ada, "740f4707bebcf74f") == 503
    assert register(ada, "740f4707bebcf74f") in (200, 201)
    calls = [entry["number"] for entry in sandbox.entries() if entry.get("operation") == "liveperson.registerPush"]
    assert len(calls) == 3
    for at, number in enumerate(calls, 1):
        expect(page.row(number).locator(".c-marks")).to_contain_text(f"↻{at}", timeout=15_000)
    expect(page.row(calls[2]).locator(".c-marks")).to_contain_text("✗↻3")
    expect(page.row(calls[1]).locator(".c-marks")).not_to_contain_text("✗↻")
    page.select(calls[2])
    expect(page.entry.get_by_role("tabpanel")).to_contain_text("✗ breaks backs-off-1-2-4-8-16s, attempt 3")
    page.verdict.locator("summary").first.click()
    rule = page.verdict.get_by_role("region", name="Rules").locator("details", has_text="backs-off-1-2-4-8-16s").last
    rule.locator("summary").click()
    row = rule.get_by_role("row").filter(has=page.get_by_role("button", name=f"#{calls[2]}", exact=True))
    expect(row).to_contain_text("early")
    row.get_by_role("button", name=f"#{calls[2]}", exact=True).click()
    page.shows(calls[2])


@pytest.mark.short
def test_what_was_varied_is_marked(server, page):
    sandbox = server.sandbox(vary="7:V4")
    Consumer(sandbox)
    number = next(entry["number"] for entry in sandbox.entries() if entry.get("varied"))
    page.open(sandbox, f"?entry={number}&tab=response")
    page.shows(number)
    expect(page.row(number).locator(".c-marks")).to_contain_text("≈V")
    expect(page.entry.get_by_role("tabpanel").locator("mark.muted").first).to_be_visible()
    expect(page.entry.get_by_role("tabpanel")).to_contain_text("≈ added sparring_")
    page.entry.get_by_role("tab", name="Summary").click()
    expect(page.entry.get_by_role("tabpanel")).to_contain_text("V4@liveperson.authenticateV2")


@pytest.mark.short
def test_findings_are_underlined_where_they_are(server, page):
    sandbox = server.sandbox()
    ada = Consumer(sandbox)
    assert register(ada, "740f4707bebcf74f", lang=7, extra={"a": [1, 2]}) < 500
    number = [entry["number"] for entry in sandbox.entries() if entry.get("operation") == "liveperson.registerPush"][-1]
    found = sandbox.call("GET", f"journal/{number}")["findings"]
    assert {one["place"] for one in found} >= {"body:/lang", "body:/extra"}, found
    page.open(sandbox, f"?entry={number}&tab=request")
    page.shows(number)
    expect(page.row(number).locator(".c-marks")).to_contain_text("⚠")
    panel = page.entry.get_by_role("tabpanel")
    marked = panel.locator("mark")
    expect(marked).to_have_text(["7,", "{"])
    lines = panel.locator("pre").inner_text().split("\n")
    for one in found:
        member = one["place"].removeprefix("body:/")
        assert any(line.strip().startswith(json.dumps(member)) and one["words"] in line for line in lines), (one, lines)
    page.entry.get_by_role("tab", name="Contract").click()
    expect(panel).to_contain_text(found[0]["words"])
    expect(panel).to_contain_text(found[0]["contract"]["path"])
    page.get_by_role("banner").get_by_role("button", name="⚠").click()
    expect(page.stream.locator(".rows .r")).to_have_count(1)


def test_what_is_missing_is_underlined_at_what_should_have_it(server, page):
    sandbox = server.sandbox()
    ada = Consumer(sandbox)
    url = f"{server.url}/mock/pusher/account/{ada.account}/registrations/test.brand.app"
    server.http.put(url, json={"lang": "en-US"}, headers={"Authorization": f"Bearer {ada.token}"}, timeout=60)
    entry = [entry for entry in sandbox.entries() if entry.get("operation") == "liveperson.registerPush"][-1]
    missing = [one for one in entry["findings"] if one["place"].startswith("body:")]
    assert missing, entry
    page.open(sandbox, f"?entry={entry['number']}&tab=request")
    page.shows(entry["number"])
    expect(page.entry.locator("mark")).to_have_count(1)
    expect(page.entry.locator("pre")).to_contain_text(missing[0]["words"])


def test_a_token_is_decoded_and_its_signature_is_checked(server, page):
    sandbox = server.sandbox()
    Consumer(sandbox)
    number = [entry["number"] for entry in sandbox.entries() if entry.get("operation") == "liveperson.authenticateV2"][0]
    page.open(sandbox, f"?entry={number}")
    page.entry.get_by_role("tab", name="Token").click()
    panel = page.entry.get_by_role("tabpanel")
    expect(panel).to_contain_text("request, body\n  signed with key ")
    expect(panel).to_contain_text('"sub": "ada"')
    sandbox.call("POST", "journal/marks", {"mark": "none"})
    page.select(sandbox.last())
    expect(panel).to_contain_text("has no token")


def test_each_lane_has_a_column(server, page):
    sandbox = server.sandbox()
    people = [Consumer(sandbox, name).talk() for name in ("ada", "bob")]
    page.open(sandbox)
    lanes = page.stream.get_by_role("columnheader", name="Lane", exact=True)
    assert lanes.bounding_box()["width"] > 30, "without columns for the lanes, the lane stands in one of its own"
    page.stream.get_by_role("button", name="Lanes").click()
    expect(page.stream.get_by_role("columnheader").filter(has_text="ada")).to_contain_text("bob")
    calls = {lane: [entry["number"] for entry in sandbox.entries() if entry.get("lane") == lane and entry["kind"] == "message"] for lane in ("ada", "bob")}
    left = {lane: page.row(numbers[0]).locator(".c-what").bounding_box()["x"] for lane, numbers in calls.items()}
    assert left["bob"] > left["ada"] + 100, left
    assert "lanes=on" in page.evaluate("new Promise((done) => setTimeout(() => done(location.href), 300))")
    people.append(Consumer(sandbox, "carol").talk())
    expect(page.stream.get_by_role("columnheader").filter(has_text="ada")).to_contain_text("carol")
    page.open(sandbox, "?lanes=on")
    expect(page.stream.get_by_role("button", name="Lanes")).to_have_attribute("aria-pressed", "true")
    page.stream.get_by_role("button", name="Lanes").click()
    expect(page.stream.get_by_role("columnheader").filter(has_text="ada")).to_have_count(0)
    for one in people:
        one.wire.close_socket()


def test_a_scenario_is_told_with_its_timeline(server, page):
    sandbox = server.sandbox(scenario="session-revoked-by-the-brand")
    page.open(sandbox, "?panes=scenario clock")
    pane = page.world.locator("details", has=page.get_by_text("Scenario", exact=True)).last
    expect(pane).to_contain_text("The brand revokes the consumer")
    expect(pane).to_contain_text('60s liveperson.signOut {"reason":"revoked"}')
    expect(pane).to_contain_text("expected: fetches-a-fresh-token the old token is refused")
    clock = page.world.locator("details", has=page.get_by_text("Clock & due", exact=True)).last
    clock.get_by_role("button", name="Advance to it").first.click()
    page.until("[...store.heads.values()].some(({ kind, operation }) => kind === 'due' && operation === 'liveperson.signOut')")
