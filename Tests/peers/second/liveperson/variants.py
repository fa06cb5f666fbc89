"""Which apps there are: platforms, ways to sign in, and policies that the documents leave to the brand or to the user."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One app with its user. All of them are good."""

    platform: str  # ios or android
    flow: str  # code, implicit or anonymous
    socket: str  # how the socket is authenticated (LivePerson reference 5.1): header, path or init
    marks: bool = True
    lookup: str = "all"  # all services in one call (LivePerson reference 2.2), or single ones (2.1)
    resends_posts: bool = False  # whether the HTTP library sends POST again too when a reused connection is lost, as OkHttp does
    policy: str = ""  # what else is special about it; see POLICIES in scenarios.py

    @property
    def ios(self):
        return self.platform == "ios"

    @property
    def anonymous(self):
        return self.flow == "anonymous"

    @property
    def gets_pushes(self):
        return self.policy != "has no push" and not self.anonymous

    @property
    def unregisters(self):
        """LivePerson reference 8.1: AGENT lets proactive pushes go on."""
        return "AGENT" if self.policy == "two people" else "ALL"


VARIANTS = {
    "ios-code-header": Variant("ios", "code", "header"),
    "android-implicit-init": Variant("android", "implicit", "init", resends_posts=True),
    "android-code-path": Variant("android", "code", "path", lookup="single"),
    "ios-implicit-path": Variant("ios", "implicit", "path", lookup="single"),
    "ios-implicit-header-no-marks": Variant("ios", "implicit", "header", marks=False),
    "android-code-init-no-marks": Variant("android", "code", "init", marks=False),
    "ios-anonymous-header": Variant("ios", "anonymous", "header"),
    "android-anonymous-init-no-marks": Variant("android", "anonymous", "init", marks=False),
    "ios-code-defers-push": Variant("ios", "code", "init", policy="defers push"),
    "android-implicit-no-push": Variant("android", "implicit", "header", policy="has no push"),
    "ios-code-logs-out": Variant("ios", "code", "path", policy="logs out"),
    "android-implicit-logs-out": Variant("android", "implicit", "header", policy="logs out"),
    "ios-implicit-hasty": Variant("ios", "implicit", "init", policy="hasty"),
    "android-code-leaves": Variant("android", "code", "header", policy="leaves"),
    "ios-code-restarts": Variant("ios", "code", "header", policy="restarts"),
    "android-implicit-two-people": Variant("android", "implicit", "path", policy="two people"),
}
