"""A channel's configuration, as far as the SDK needs it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Configuration:
    """What is derived from the answer (CXone reference 3.1)."""

    mode: str
    signs_in: bool
    secured: bool
    recovery_never_fails: bool
    form: dict | None

    @classmethod
    def read(cls, body, platform, channel):
        """`None` where the body is none: the SDK for iOS looks at nothing else."""
        if not isinstance(body, dict) or "settings" not in body:
            return None
        settings = body["settings"]
        features = settings["features"]
        form = body["preContactForm"]
        if form and platform.name == "android" and not any(listed["id"] == channel for listed in form.get("channels", [{"id": channel}])):
            form = None
        return cls(
            mode="live" if body["isLiveChat"] else "multi" if settings["hasMultipleThreadsPerEndUser"] else "single",
            signs_in=body["isAuthorizationEnabled"],
            secured=settings["securedSessions"] if platform.name == "android" else features.get("securedSessions", True),
            recovery_never_fails=features.get("isRecoverLivechatDoesNotFailEnabled", True),
            form=form,
        )

    def lacks(self, fields):
        """The required fields of the form that have no value."""
        asked = self.form["customFields"] if self.form else []
        return [field["definition"]["ident"] for field in asked if field["isRequired"] and not fields.get(field["definition"]["ident"])]


def is_unsupported(body):
    """The global error that all three SDKs recognise (CXone reference 3.0)."""
    return isinstance(body, dict) and (body.get("error") or {}).get("errorCode") == "SdkVersionNotSupported"
