"""Tests that call nobody: of what needs no server."""

from app import App


def test_knows_no_host_before_the_start():
    assert App({}, print)._hosts == {}


def test_has_no_token_before_the_sign_in():
    assert App({}, print)._token is None
