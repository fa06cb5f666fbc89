"""The apps that we play: the same good app, built in different ways."""

from dataclasses import dataclass


@dataclass
class Variant:
    name: str
    platform: str = "ios"
    marks: bool = True
    devices: int = 1
    token: str = "checked"  # always: a fresh one for each request; lazy: one until it is refused
    context_at_registration: bool = True
    restarts: bool = False
    names_device: bool = True
    bearer: bool = False
    backend: bool = False
    template: bool = False
    tls: bool = False

    def server(self, world):
        """Where the chat is, and whom to trust."""
        ca_file = world.environment.get("SPARRING_CA_FILE")
        tls_url = world.environment.get("SPARRING_TLS_URL")
        if self.tls and ca_file and tls_url:
            return tls_url.rstrip("/"), ca_file
        return world.setting("ASAPP_API_URL").rstrip("/"), ca_file


VARIANTS = {variant.name: variant for variant in (
    Variant("ios"),
    Variant("android", platform="android", tls=True),
    Variant("web", platform="web", tls=True),
    Variant("no-marks", marks=False),
    Variant("two-devices", devices=2),
    Variant("early-token", token="always"),
    Variant("lazy-token", token="lazy"),
    Variant("no-context-at-registration", context_at_registration=False),
    Variant("restarts", restarts=True),
    Variant("all-devices", names_device=False),
    Variant("opaque-bearer", bearer=True),
    Variant("backend", backend=True),
    Variant("backend-template", backend=True, template=True),
)}
