"""The mock's admin API: marks, the agent, the device's inbox, and settings of the account."""

import time

import requests

import env


class Marks:
    """Tells what cannot be seen on the network. A silent one tells nothing."""

    def __init__(self, lane, silent=False):
        self.lane = lane
        self.silent = silent

    def tell(self, name, **values):
        if not self.silent:
            post("/journal/marks", {"mark": name, "lane": self.lane, **values})


def post(path, body):
    answer = requests.post(env.sandbox_url(path), json=body, timeout=10)
    answer.raise_for_status()
    return answer.json() if answer.content else None


def agent_joins(interaction):
    post("/talkdesk/agent/join", {"conversation": interaction})


def agent_says(interaction, text):
    post("/talkdesk/agent/say", {"conversation": interaction, "text": text})


def agent_closes(interaction):
    post("/talkdesk/agent/close", {"conversation": interaction})


def notifications(device):
    answer = requests.get(env.sandbox_url("/devices/%s/notifications" % device), timeout=10)
    return answer.json()["notifications"] if answer.ok else []


def wait_for_push(device, seconds):
    """Waits until the device has got a push."""
    end = time.monotonic() + env.real(seconds)
    while not notifications(device) and time.monotonic() < end:
        env.wait(0.5)


def arm(fault):
    post("/faults", {"fault": fault})


def set_token_lifetime(lifetime):
    url = env.sandbox_url("/tenants/talkdesk")
    requests.patch(url, json={"tokenLifetime": lifetime}, timeout=10).raise_for_status()
