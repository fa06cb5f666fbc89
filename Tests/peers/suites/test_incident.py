"""One test, played in whatever incident `sparring run --scenario` makes: the user signs in, is registered for pushes, and signs out."""

import os
from contextlib import suppress

import pytest
from app import SignInFailed, SignOutFailed


def test_gets_through(app):
    app.start()
    if os.environ.get("SPARRING_SCENARIO") == "wrong-issuer":
        with pytest.raises(SignInFailed):
            app.sign_in()
        return
    app.sign_in()
    app.register()
    assert app.unread() == 0
    with suppress(SignOutFailed):
        app.sign_out()
