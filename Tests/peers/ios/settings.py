"""Where the app finds its services, and which of the good ways to behave it takes."""
import os
from dataclasses import dataclass, field


@dataclass
class Settings:
    """What a build of the app is configured with; here it comes from the environment."""

    account: str = field(default_factory=lambda: os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"])
    lookup_url: str = field(default_factory=lambda: os.environ["SPARRING_TLS_URL"])
    ca_file: str = field(default_factory=lambda: os.environ["SPARRING_CA_FILE"])
    control_url: str = field(default_factory=lambda: os.environ["SPARRING_URL"])
    sandbox: str = field(default_factory=lambda: os.environ["SPARRING_SANDBOX"])
    time_scale: float = field(default_factory=lambda: float(os.environ.get("SPARRING_TIME_SCALE", "1")))
    discovery_url: str = field(default_factory=lambda: os.environ["SPARRING_IDENTITY_DISCOVERY_URL"])
    issuer: str = field(default_factory=lambda: os.environ["SPARRING_IDENTITY_ISSUER"])
    client_id: str = field(default_factory=lambda: os.environ["SPARRING_IDENTITY_CLIENT_ID"])
    # The URI that this app was registered with. The list of all may name the one with a slash first.
    redirect_uri: str = "https://liveperson.net"
    app_id: str = "test.brand.app"
    app_installation: str = "7c1e2b9a-5d40-4f66-9b7e-30d8a1c4f205"

    @property
    def sandbox_url(self):
        return f"{self.control_url}/__admin/sandboxes/{self.sandbox}"


@dataclass
class Options:
    """Ways of being equally good; the defaults are the plain app."""

    flow: str = "implicit"
    sign_in_page: bool = False
    parallel_lookup: bool = False
    jitter: bool = False
    patient: bool = False
    retries: int = 5
    pushes: bool = True
    init_by_message: bool = False
    other_case: bool = False
    marks: bool = True

    @classmethod
    def of(cls, variant, **given):
        """The options of a variant, for a brand that has `given`; variants that only change what the user does have the plain ones."""
        return cls(**given | {
            "code": {"flow": "code"}, "pkce": {"flow": "pkce"}, "parallel": {"parallel_lookup": True},
            "page": {"sign_in_page": True}, "jitter": {"jitter": True}, "patient": {"patient": True},
            "three": {"retries": 3}, "no-push": {"pushes": False}, "other-case": {"other_case": True},
            "by-message": {"init_by_message": True}, "no-marks": {"marks": False},
        }.get(variant, {}))


def client_properties(kind):
    """What an iOS app tells of itself to the messaging service."""
    return {
        "type": kind, "appId": "test.brand.app", "appVersion": "4.2.0", "deviceFamily": "MOBILE", "os": "IOS",
        "osName": "iOS", "osVersion": "17.5", "deviceManufacture": "Apple", "deviceModel": "iPhone15,2",
        "integration": "MOBILE_SDK", "integrationVersion": "6.23.0", "timeZone": "Europe/London",
        "features": ["PHOTO_SHARING", "AUTO_MESSAGES", "RICH_CONTENT", "QUICK_REPLIES", "MULTI_DIALOG", "FILE_SHARING"],
    }
