"""Pushes as the app gets them from Firebase."""
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Push:
    """What the app needs of one of LivePerson's pushes."""

    dialog: str
    sequence: int
    badge: int
    text: str


def handle_push_message(data, brand_id):
    """`handlePushMessage`: the push, or None where it is not LivePerson's or cannot be read."""
    # "Push notification received by device" 4: the brandId in the payload tells whose it is.
    try:
        content = data.get("data", data)
        payload = content["payload"]
        if isinstance(payload, str):
            payload = json.loads(payload)
        if str(payload["brandId"]) != brand_id:
            return None
        dialog = payload.get("dialogId") or payload["conversationId"]
        return Push(str(dialog), int(payload["sequence"]), int(payload["badge"]), str(content.get("message", "")))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
