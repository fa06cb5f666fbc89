"""The flows about who uses the app: logging in and out, updates, authentication and its failures, deep links."""

from app import App, challenge, pkce
from brand import REDIRECT
from flow import flow
from peer import check

RFC_7636 = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # the verifier of its appendix B, and what comes of it
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@flow(ios="user logs into the app", android="user logs in to the app")
def user_logs_in(app):
    check("[initialize] finds the services", app.initialize())
    app.sign_in(app.own())
    app.register()
    check("[getUnreadMessagesCount] by the same token: none", app.unread(0) == {})
    check("a code was redeemed once, a JWT never", len(app.brand.redeemed()) == (app.platform.name == "android"))


@flow(both="initialize fails")
def initialize_fails(app):
    app.brand.arm("liveperson.lookUpService status code=503 times=1 skip=1")
    check("[initialize] fails, after one service of five", not app.initialize() and len(app.hosts) == 1)
    app.wipe()  # [logout] as a catch-all; nobody is registered who could be unregistered
    check("[initialize] once more", app.initialize())
    app.sign_in(app.own())
    app.brand.arm("liveperson.lookUpService status code=503 times=2")
    check("another time it fails twice: messaging is switched off", [app.initialize(), app.initialize()] == [False, False])
    check("the third would have found them", app.initialize())
    unknown = app.look_up("idp", account="99999999")
    check("an account that does not exist is the app's own mistake: no 5xx", 400 <= unknown.status_code < 500, unknown.status_code)


@flow(ios="user is logged out of the app", android="user is logged out of the app")
def user_is_logged_out(app):
    app.converse()
    token = app.token
    app.logout()
    left = app.pusher("GET", f"registrations/{app.id}", token=token, deviceToken=app.device)
    check("nobody is registered on the device", app.brand.registered(app.device) == [] and left.json() == {"registered": False}, left.text)
    check("no socket is open", app.brand.sockets("alice") == 0)
    deed = app.brand.act("alice", "say", text="Hello Alice")
    check("what an agent says to her goes nowhere", deed["delivery"] == "none", deed)

    bob = App(app.brand, app.platform, "bob")
    bob.initialize()
    bob.sign_in(bob.own())
    bob.register()
    bob.unread(0)
    check("only bob is registered there now", app.brand.registered(app.device) == ["bob"])
    app.brand.push("alice", "For alice alone")
    app.brand.push("bob", "Welcome", backendService="prmsg")
    note = bob.pushed(1, bob.brand_alert("Welcome"), 1, "prmsg")
    check("the device's only notification is bob's", note["number"] == 1 and note["consumer"] == "bob", note)
    window = bob.show()
    check("bob sees no conversation of hers", window.subscribe("OPEN", "CLOSE") == [])


@flow(both="logout fails and is retried")
def logout_fails(app):
    app.converse()
    app.brand.arm("liveperson.unregisterPush status code=503 times=3")
    answers = app.logout()
    check("tried again after 1, 2 and 4 s", [a.status_code for a in answers] == [503, 503, 503, 204], answers)
    check("then nobody is registered", app.brand.registered(app.device) == [])


@flow(ios="user is logged out keeping proactive messages", android="user is logged out keeping proactive messages")
def keeping_proactive_messages(app):
    conversation = app.converse()
    app.logout("AGENT")
    deed = app.brand.act("alice", "say", text="Not on this device")
    check("an agent's message is not pushed", (deed["conversation"], deed["delivery"]) == (conversation, "none"), deed)
    app.brand.push("alice", "Your parcel waits", backendService="prmsg")
    note = app.pushed(1, app.brand_alert("Your parcel waits"), 2, "prmsg")  # the badge counts what is unread
    check("a proactive one is, and alone", note["number"] == 1, note)


@flow(
    ios="logout that forgets to unregister", android="logout that forgets to unregister",
    findings=[("'leak'", "bob", "alice", "never unregistered")])
def logout_that_forgets(app):
    conversation = app.converse()
    app.wipe()  # what is stored is gone, but nobody has told the pusher
    bob = App(app.brand, app.platform, "bob")
    bob.initialize()
    bob.sign_in(bob.own())
    bob.register()
    check("both are registered on the device", sorted(app.brand.registered(app.device)) == ["alice", "bob"])
    note = app.agent_pushes("Your account number is 12-34-56", 1, 1, 0, conversation)
    check("bob's device shows what was for alice", note["device"] == bob.device and note["consumer"] == "alice", note)


@flow(both="user is logged out by another device")
def logged_out_by_another_device(app):
    conversation = app.converse()
    window = app.show()
    window.resume(conversation)
    stale = app.token
    app.brand.admin("POST", "liveperson/sign-out", {"consumer": "alice", "reason": "another-device"})
    check("[TokenExpired] the window closes with 4401 (5.3)", window.closed() == 4401)
    check("and opens no more with that token", app.barred() == 4401)
    check("the pusher refuses it too", app.count().status_code == 401)
    window = app.show(app.own())
    check("[reconnect] with fresh credentials", app.token != stale and len(window.subscribe("OPEN")) == 1)
    app.logout()
    check("then [logout] unregisters", app.brand.registered(app.device) == [] and app.brand.sockets("alice") == 0)


@flow(ios="user updates the app", android="user updates the app")
def user_updates(app):
    conversation = app.converse()
    app.agent_pushes("Before the update", 1, 1, 0, conversation)
    app.logout()
    check("nobody is registered", app.brand.registered(app.device) == [])
    check("[initialize]", app.initialize())
    app.sign_in(app.own())
    app.register(201)
    check("what was unread still is", app.unread(1) == {conversation: 1})
    window = app.show()
    shown = window.subscribe("OPEN", "CLOSE")
    check("her conversation is there as before", [c["convId"] for c in shown] == [conversation] and shown[0]["state"] == "OPEN", shown)
    check("and what was said in it", [c["event"]["message"] for c in window.resume(conversation)] == ["Before the update"])
    app.unread(0)


@flow(ios="authentication failures", android="authentication failures")
def authentication_failures(app):
    app.initialize()
    app.refused({"id_token": app.brand.credential("jwt", "alice", defect="wrong-key")}, "9007")
    app.sign_in(app.jwt())
    for claim in ("iss", "iat", "exp", "sub"):  # the mandatory ones, and who it is (3.5)
        app.refused({"id_token": app.brand.credential("jwt", "alice", defect="claim-missing", missingClaim=claim)})
    app.refused({"id_token": app.brand.credential("jwe", "alice", defect="wrong-key")}, "9007")
    app.sign_in({"id_token": app.brand.credential("jwe", "alice")})
    app.refused({"id_token": app.brand.credential("jwt", "alice", defect="expired")})
    code = app.code()
    app.sign_in(code)
    app.refused(code)  # used more than once
    app.refused(app.code() | {"redirect_uri": REDIRECT + "/elsewhere"})
    late = app.jwt()
    app.sign_in(late)
    app.sign_in(late)  # a JWT may be used again until it expires
    app.brand.arm("liveperson.authenticateV2 bad-signature times=1")
    app.refused(app.jwt(), "9007")  # the account's public key was changed for a moment, say
    app.brand.arm("identity.token status code=503 times=1")
    app.refused(app.code())  # the brand's own token endpoint was down
    window = app.show(app.own())  # [reconnect] with new ones
    window.begin()
    window.write("There you are")
    window.close()
    app.brand.advance(3600)
    app.refused(late)  # [TokenExpired, onTokenExpired] by now
    check("with fresh ones she goes on", len(app.show(app.own()).subscribe("OPEN")) == 1)


@flow(ios="authorization with PKCE", android="authorization with PKCE", findings=[("code-challenge-missing",)])
def authorization_with_pkce(app):
    app.brand.change("identity", pkce="required")
    app.initialize()
    given = app.brand.authorize("alice", response_type="code")
    check("without a challenge the provider gives no code (RFC 7636, 4.4.1)", given["error"] == "invalid_request" and "code" not in given, given)
    check("[getPkceParams] challenges are those of RFC 7636", challenge(RFC_7636) == CHALLENGE)
    for verifier in (RFC_7636, pkce()):
        app.sign_in(app.pkce_code(verifier))
    window = app.show(app.pkce_code(pkce()))
    check("[showConversation] the window opens", window.subscribe("OPEN") == [])
    stolen = app.pkce_code(pkce())
    del stolen["code_verifier"]
    app.refused(stolen)
    app.refused(app.pkce_code(pkce()) | {"code_verifier": pkce()})
    spent = app.pkce_code(pkce())
    app.sign_in(spent)
    app.refused(spent)


APPLE = {"appIDs": ["TEAM123456.test.brand.app"], "components": [{"/": "/chat/*", "comment": "opens the window"}]}
FINGERPRINT = ":".join(["AA", "BB", "CC", "DD"] * 8)
LINKS = {
    "apple": [APPLE],
    "webcredentials": ["TEAM123456.test.brand.app"],
    "android": [{"packageName": "test.brand.app", "sha256CertFingerprints": [FINGERPRINT]}],
}


@flow(ios="deep linking", android="deep linking", liveperson={"deepLinks": LINKS})
def deep_linking(app):
    """What the system fetches from the brand's domain before it lets the app open links (11)."""
    file, linked = {
        "ios": ("apple-app-site-association", {"applinks": {"details": [APPLE]}, "webcredentials": {"apps": LINKS["webcredentials"]}}),
        "android": ("assetlinks.json", [{
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {"namespace": "android_app", "package_name": "test.brand.app", "sha256_cert_fingerprints": [FINGERPRINT]}}]),
    }[app.platform.name]
    answer = app.brand.well_known(file)
    check("it is there, and no redirect", answer.status_code == 200, f"{answer.status_code} {answer.text}")
    check("as JSON", answer.headers["Content-Type"].split(";")[0] == "application/json", answer.headers)
    check("and names the app", answer.json() == linked, answer.text)
    check("another file is not", app.brand.well_known("nothing.json").status_code == 404)
