"""HTTP Basic, as OAuth clients send it."""

import base64
from urllib.parse import quote


def basic(user, password):
    """The value of Authorization. Each part is form-encoded first (RFC 6749 section 2.3.1)."""
    pair = f"{quote(user, safe='')}:{quote(password, safe='')}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"
