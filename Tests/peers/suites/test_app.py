"""What the app's developers have tested for long: all of it passes, and the app does as LivePerson advises."""

import pytest
from app import SignInFailed


def test_signs_in(make_app):
    app = make_app()
    app.start()
    app.sign_in()
    app.register()
    assert app.unread() == 0


def test_signs_in_by_code(make_app):
    app = make_app(flow="code")
    app.start()
    app.sign_in()


def test_fetches_another_token(make_app):
    app = make_app(faults=["liveperson.Login.* token-expired times=1"])
    app.start()
    app.sign_in()
    assert app.unread() == 0


def test_fetches_another_code(make_app):
    app = make_app(flow="code", faults=["identity.token code-expired times=1"])
    app.start()
    app.sign_in()


def test_signs_in_anew_for_pushes(make_app):
    app = make_app(scenario="registration-refused-as-expired")
    app.start()
    app.sign_in()
    app.register()
    assert app.unread() == 0


def test_waits_for_the_pusher(make_app):
    app = make_app(faults=["liveperson.registerPush unavailable times=2"])
    app.start()
    app.sign_in()
    app.register()
    assert app.unread() == 0


def test_says_that_it_cannot_sign_in(make_app):
    app = make_app(scenario="wrong-issuer")
    app.start()
    with pytest.raises(SignInFailed):
        app.sign_in()


def test_unregisters_when_the_user_leaves(make_app):
    app = make_app(scenario="unregister-fails-twice-at-sign-out")
    app.start()
    app.sign_in()
    app.register()
    assert app.unread() == 0
    app.sign_out()
