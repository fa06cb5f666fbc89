"""A phone or browser: what outlives the app's process."""

import secrets
import uuid


class Device:
    """The storage of an app, and the address that pushes come to."""

    def __init__(self):
        self.storage = {}
        self.push_token = secrets.token_hex(32)


def new_id():
    """A UUID as the SDKs write it."""
    return str(uuid.uuid4())
