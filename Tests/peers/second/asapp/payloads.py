"""What a push looks like at the brand's backend, and on a phone."""


def for_apple(payload):
    """ASAPP's payload already has the form of APNs, with UnreadMessages beside aps (ASAPP reference 2.4)."""
    return payload


def for_google(payload):
    """FCM's form: what is shown, and data, whose values are strings."""
    alert = payload["aps"]["alert"]
    data = {name: value if isinstance(value, str) else str(value).lower() for name, value in payload.items() if name not in ("aps", "click_action")}
    return {"notification": {**alert, "click_action": payload.get("click_action")}, "data": data}


def status_in(payload):
    """The unread messages, and whether the chat is live, if the push is ASAPP's (canHandleNotification, getConversationStatusFromNotification)."""
    found = payload if "UnreadMessages" in payload else payload.get("data", {})
    if "UnreadMessages" not in found:
        return None
    return int(found["UnreadMessages"]), str(found.get("isLiveChat")).lower() == "true"
