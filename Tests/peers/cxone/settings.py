"""Where the servers are, from the environment."""

import os
import re

from errors import Stuck


class Settings:
    """The addresses and ids that an app is built with."""

    def __init__(self, environment=os.environ):
        self.environment = environment
        self.base = self.need("SPARRING_URL").rstrip("/")
        self.socket_base = re.sub("^http", "ws", self.base)
        self.ca_file = environment.get("SPARRING_CA_FILE")
        self.sandbox = environment.get("SPARRING_SANDBOX", "default")
        self.scale = float(environment.get("SPARRING_TIME_SCALE") or 1)
        self.brand = self.need("SPARRING_CXONE_BRAND_ID")
        self.admin = f"{self.base}/__admin/sandboxes/{self.sandbox}"

    def need(self, name):
        """A variable without which nothing goes."""
        value = self.environment.get(name)
        if not value:
            raise Stuck(f"{name} is not set")
        return value

    def channel(self, mode):
        """The id of the channel of a chat mode."""
        names = {"single": "SINGLE_THREAD", "multi": "MULTI_THREAD", "live": "LIVE_CHAT"}
        return self.need(f"SPARRING_CXONE_{names[mode]}_CHANNEL_ID")
