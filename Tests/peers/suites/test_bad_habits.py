"""Tests that pass, of an app that does not do as it should: the user sees nothing of it, and only the verdict tells."""


def test_hurries(make_app):
    app = make_app(habit="hurries", faults=["liveperson.registerPush unavailable times=2"])
    app.start()
    app.sign_in()
    app.register()
    assert app.unread() == 0


def test_brings_a_token_again(make_app):
    app = make_app(habit="signs-in-with-the-old-token", faults=["liveperson.Login.* token-expired times=1"])
    app.start()
    app.sign_in()
