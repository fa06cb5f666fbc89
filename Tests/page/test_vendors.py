"""Every vendor's conversations, with nothing in the page that knows the vendor: a good client, written by others, has begun one."""

import json
import os
import subprocess

import pytest
from playwright.sync_api import expect

from server import ROOT, Sandbox

STORIES = {
    "khoros": ("login-slow", "ios"), "cxone": ("two-threads", "ios-multi"), "asapp": ("message-while-in-chat", "ios"),
}  # fmt: skip
RATE = 20


def begun(server, binary, vendor):
    """A sandbox in which a client has talked."""
    story, variant = STORIES[vendor]
    made = server.call("POST", "sandboxes", {"name": f"with-{vendor}", "scenario": story, "clock": {"mode": "rate", "rate": RATE}})
    command = [binary, "env", "--format", "json", "--sandbox", made["id"], "--url", server.url]
    environment = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    client = [os.environ.get("SPARRING_PYTHON", ROOT / ".build/peers/bin/python"), ROOT / "Tests/peers" / vendor, story, "--variant", variant]
    scaled = {**os.environ, **environment, "SPARRING_TIME_SCALE": str(1 / RATE)}
    subprocess.run(client, env=scaled, capture_output=True, text=True, timeout=100, check=True)
    return Sandbox(server, made)


def begun_at_talkdesk(server):
    """All stories of Talkdesk's end with their interaction."""
    sandbox = server.sandbox("with-talkdesk")
    talkdesk = sandbox.tenants["talkdesk"]
    token = server.http.get(talkdesk["accessURL"], timeout=60).text
    url = f"{talkdesk['gatewayURL']}/visual-sessions/interactions"
    headers = {"Authorization": f"Bearer {token}"}
    started = server.http.post(url, json={"app_id": "example-app-ios", "intention": "support"}, headers=headers, timeout=60)
    assert started.status_code == 201, started.text
    said = server.http.post(f"{url}/{started.json()['id']}/messages", json={"text": "My card does not work"}, headers=headers, timeout=60)
    assert said.status_code < 300, said.text
    return sandbox


@pytest.mark.parametrize("vendor", [*STORIES, "talkdesk"])
def test_the_agent_of_every_vendor_is_played(start, binary, page, vendor):
    server = start()
    sandbox = begun_at_talkdesk(server) if vendor == "talkdesk" else begun(server, binary, vendor)
    page.open(sandbox, "?panes=conversations")
    pane = page.world.locator("details", has=page.get_by_text("Conversations", exact=True)).last
    transcript = pane.get_by_role("log", name="Transcript")
    expect(transcript.locator("p").first).to_be_visible()
    assert any(len(line.split()) > 2 for line in transcript.locator("p").all_inner_texts()), "nothing is to be read there"
    form = pane.get_by_role("combobox", name="play the agent")
    expect(form).to_have_value("say")
    pane.get_by_label("text", exact=True).fill("It's me, from the page")
    pane.locator("form button").click()
    expect(transcript).to_contain_text("It's me, from the page")
    expect(page.console_line.locator("code").first).to_contain_text(f"sparring act {vendor} say consumer=")
    form.select_option("close")
    pane.locator("form button").click()
    expect(pane.get_by_role("button", pressed=True)).to_contain_text("closed")
