"""What the runner gives us: addresses, the speed of the clock, and the admin API of the mock."""

import os
import time
from urllib.parse import quote

import requests


class World:
    """One sandbox. Only stories, the phone's system and the marks use the admin API; the SDK never does."""

    def __init__(self, environment=os.environ):
        self.environment = environment
        self.url = environment["SPARRING_URL"].rstrip("/")
        self.sandbox = environment["SPARRING_SANDBOX"]
        self.scale = float(environment.get("SPARRING_TIME_SCALE") or 1)
        self.began = time.monotonic()
        self.marks_wanted = True
        self.patient = True  # whether a wait without success ends the story
        self.admin_http = requests.Session()

    def setting(self, name, default=None):
        value = self.environment.get("SPARRING_" + name, default)
        if value is None:
            raise SystemExit(f"SPARRING_{name} is not set")
        return value

    # Time

    def now(self):
        """Seconds of the sandbox's clock since we began."""
        return (time.monotonic() - self.began) / self.scale

    def wait(self, seconds):
        time.sleep(seconds * self.scale)

    def wait_until(self, condition, seconds, what):
        """Look again and again, as a person would, until something is so."""
        end = time.monotonic() + seconds * self.scale
        while True:
            found = condition()
            if found:
                return found
            if time.monotonic() > end:
                if not self.patient:
                    return None
                raise TimeoutError(f"waited {seconds} s without success for {what}")
            time.sleep(min(0.05, 0.5 * self.scale))

    # The admin API

    def admin(self, method, path, body=None, http=None, **options):
        answer = (http or self.admin_http).request(
            method, f"{self.url}/__admin/sandboxes/{self.sandbox}{path}", json=body, timeout=60, **options)
        if answer.status_code >= 400 and answer.status_code != 408:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.content else None

    def mark(self, name, lane, **values):
        if self.marks_wanted:
            requests.post(f"{self.url}/__admin/sandboxes/{self.sandbox}/journal/marks",
                          json={"mark": name, "lane": lane, **values}, timeout=10).raise_for_status()

    def arm(self, fault):
        self.admin("POST", "/faults", {"fault": fault})

    def tenant(self, vendor):
        return self.admin("GET", f"/tenants/{vendor}")

    def change_tenant(self, vendor, patch):
        self.admin("PATCH", f"/tenants/{vendor}", patch)

    def agent(self, act, consumer, **more):
        return self.admin("POST", f"/asapp/agent/{act}", {"consumer": consumer, **more})

    def push(self, consumer, text):
        return self.admin("POST", "/asapp/push", {"consumer": consumer, "text": text})

    def devices(self):
        return self.admin("GET", "/devices")["devices"]

    def inbox(self, token, since, seconds, http):
        """What APNs or Firebase hands to the phone; nothing if nothing comes in time."""
        answer = self.admin("GET", f"/devices/{quote(token, safe='')}/notifications/wait?since={since}"
                            f"&count=1&timeout={int(seconds * 1000)}ms", http=http)
        return answer.get("notifications", [])
