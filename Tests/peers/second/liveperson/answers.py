"""How answers are read: nothing is taken for granted but the status."""

import base64
import json
import random


def content(answer):
    """The JSON of an answer; `None` where there is none, such as in the page of a gateway."""
    try:
        return json.loads(answer.content)
    except ValueError:
        return None


def members(answer):
    """The members of the object in an answer; none where there is no object."""
    found = content(answer)
    return found if isinstance(found, dict) else {}


def seconds_to_wait(value):
    """What a Retry-After asks for, and a little more at random, so that not all clients return at once."""
    return float(value) * random.uniform(1.02, 1.2) if value and value.isdigit() else 0


def retry_after(answer):
    return seconds_to_wait(answer.headers.get("retry-after"))


def claims(token):
    """What a JWT says. Its signature is for the service to judge."""
    middle = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
