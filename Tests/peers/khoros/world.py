"""What surrounds the app: the environment, the clock's scale, and the story's side of the mock (agent, devices, marks)."""

import os
import random
import time

import requests

from wire import Refused


class StoryFailed(Exception):
    """The story did not go as it must go with a good client."""


class World:
    def __init__(self, variant, habit=None):
        self.variant = variant
        # What a story with a bad habit takes without complaint: refusals, and messages that do not come.
        self.shrugged = (StoryFailed, OSError, Refused) if habit else ()
        self.url = os.environ["SPARRING_URL"]
        self.sandbox = os.environ["SPARRING_SANDBOX"]
        self.scale = float(os.environ.get("SPARRING_TIME_SCALE", "1"))
        self.certificates = os.environ.get("SPARRING_CA_FILE")

    def setting(self, name):
        return os.environ["SPARRING_" + name]

    # ---- time

    def real(self, seconds):
        """Seconds of the app in seconds of the machine."""
        return seconds * self.scale

    def wait(self, seconds):
        """Let time pass. Jitter moves the wait by up to a fifth, if the variant has any."""
        time.sleep(self.real(self.jittered(seconds)))

    def jittered(self, seconds):
        return seconds * random.uniform(0.8, 1.2) if self.variant.jitter else seconds

    def think(self):
        """A user who takes their time."""
        if self.variant.thinking:
            self.wait(self.variant.thinking)

    # ---- the admin API

    def admin(self, method, path, body=None, query=None):
        answer = requests.request(method, f"{self.url}/__admin/sandboxes/{self.sandbox}/{path}", json=body, params=query, timeout=60)
        if not answer.ok:
            raise StoryFailed(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def mark(self, name, device, **values):
        """Tells what is not visible on the network, in the lane of the device: it is the user's once they have logged in."""
        if self.variant.marks:
            self.admin("POST", "journal/marks", {"mark": name, "lane": device, **values})

    def agent_says(self, consumer, text):
        return self.admin("POST", "khoros/agent/say", {"consumer": consumer, "text": text})

    def agent_types(self, consumer):
        self.admin("POST", "khoros/agent/typing", {"consumer": consumer})

    def agent_reads(self, consumer):
        self.admin("POST", "khoros/agent/read", {"consumer": consumer})

    def notifications(self, token, since=0, count=1, seconds=60):
        """Wait until the device has got so many notifications from `since` on."""
        limit = f"{int(self.real(seconds) * 1000) + 3000}ms"
        return self.admin("GET", f"devices/{token}/notifications/wait", query={"since": since, "count": count, "timeout": limit})["notifications"]

    def newest_notification(self, token, deed):
        """The notification of what the agent has just said. Devices get them while the app is open, too."""
        if deed["delivery"] == "none":
            raise StoryFailed("the agent's message was not pushed")
        self.notifications(token)
        return self.all_notifications(token)[-1]

    def all_notifications(self, token):
        return self.admin("GET", f"devices/{token}/notifications")["notifications"]
