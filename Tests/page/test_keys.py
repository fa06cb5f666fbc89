"""From a refused sign-in to the verdict, by keys alone and by touch alone."""

import pytest
from playwright.sync_api import expect

from server import until
from traffic import refused_sign_in


def tab_to(page, selector, most=150):
    """Turns from field to field until the focus is in what is looked for."""
    for _ in range(most):
        if page.evaluate("(selector) => Boolean(document.activeElement?.matches(selector))", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by Tab")


def resent(sandbox, refusal):
    """The entry of the call that was sent again."""
    found = [entry for entry in sandbox.entries() if entry["number"] > refusal and entry.get("operation") == "identity.token"]
    return found and found[-1]


def judged(page):
    """The drawer shows rules with what they say."""
    rules = page.verdict.get_by_role("region", name="Rules")
    expect(rules).to_contain_text("not exercised")
    return rules


@pytest.mark.short
def test_by_keys(server, page):
    sandbox = server.sandbox()
    refusal = refused_sign_in(sandbox)
    page.open(sandbox)
    keys = page.keyboard

    keys.press("/")
    keys.type("refused")
    expect(page.row(1)).to_have_count(0)
    expect(page.row(refusal)).to_be_visible()
    keys.press("Escape")
    keys.press("j")
    keys.press("Enter")
    page.shows(refusal)
    expect(page.entry).to_contain_text("code was redeemed by entry")
    expect(page.entry).to_contain_text("code-reused")
    keys.press("ArrowRight")
    expect(page.entry.get_by_role("tab", name="Request")).to_have_attribute("aria-selected", "true")
    expect(page.entry.get_by_role("tabpanel")).to_contain_text("grant_type")
    keys.press("ArrowLeft")

    keys.press("f")
    effect = page.entry.get_by_role("combobox", name="effect")
    expect(effect.locator("option", has_text="temporarily-unavailable")).to_have_count(1)
    tab_to(page, "sp-entry select")
    keys.type("temporarily-unavailable")
    expect(effect).to_have_value("temporarily-unavailable")
    expect(page.entry).to_contain_text("sparring fault add")
    tab_to(page, "sp-entry input[type=checkbox]")
    keys.press("Space")
    keys.press("Enter")
    fault = until(lambda: sandbox.call("GET", "faults")["faults"], what="the fault")[0]
    assert fault["text"].startswith("identity.token temporarily-unavailable"), fault
    assert "subject" not in fault["text"], fault

    # The first Escape closes the form, wherever in it the focus is.
    tab_to(page, "sp-entry form button")
    keys.press("Escape")
    expect(page.entry.locator("form")).to_have_count(0)
    keys.press("r")
    again = until(lambda: resent(sandbox, refusal), what="the call that is sent again")
    assert again["answer"]["name"] == "temporarily-unavailable", again
    expect(page.entry.get_by_role("status")).to_contain_text("503")

    tab_to(page, "sp-verdict summary")
    keys.press("Enter")
    judged(page)


def test_by_touch(server, window):
    sandbox = server.sandbox()
    refusal = refused_sign_in(sandbox)
    page = window(390, 844, has_touch=True, is_mobile=True).open(sandbox)
    views = page.get_by_role("navigation", name="Parts of the page")

    page.row(refusal).tap()
    page.shows(refusal)
    expect(page.entry).to_contain_text("code was redeemed by entry")
    expect(page.stream).to_be_hidden()

    page.entry.get_by_role("button", name="Arm a fault here").tap()
    effect = page.entry.get_by_role("combobox", name="effect")
    expect(effect.locator("option", has_text="temporarily-unavailable")).to_have_count(1)
    effect.select_option("temporarily-unavailable")
    page.entry.get_by_role("checkbox", name="only ada").tap()
    page.entry.get_by_role("button", name="Arm", exact=True).tap()
    until(lambda: sandbox.call("GET", "faults")["faults"], what="the fault")

    page.entry.get_by_role("button", name="Resend", exact=True).tap()
    again = until(lambda: resent(sandbox, refusal), what="the call that is sent again")
    assert again["answer"]["name"] == "temporarily-unavailable", again
    expect(page.entry.get_by_role("status")).to_contain_text("503")

    views.get_by_role("button", name="World").tap()
    expect(page.world).to_be_visible()
    views.get_by_role("button", name="Verdict").tap()
    judged(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
