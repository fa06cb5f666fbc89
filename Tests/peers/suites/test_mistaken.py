"""A test that is wrong itself: there is nothing to be said against the app."""


def test_expects_too_much(make_app):
    app = make_app()
    app.start()
    app.sign_in()
    assert app.unread() == 3
