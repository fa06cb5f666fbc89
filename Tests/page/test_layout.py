"""What one sees: one number for what is broken, columns that use the width, times that run, something to do where nothing is."""

import re

import pytest
from playwright.sync_api import expect

from server import until
from traffic import Consumer, Flood, lively, refused_sign_in

SIZES = [(width, scheme) for width in (1400, 1000, 390) for scheme in ("light", "dark")]
NAMED = [f"{width}-{scheme}" for width, scheme in SIZES]

# Of each column that takes what it needs: how often it is cut, and how much of it its longest text leaves.
COLUMNS = """() => Object.fromEntries(['number', 'lane', 'what', 'result', 'marks'].map((name) => {
  const shown = [...document.querySelectorAll(`sp-stream .rows .c-${name}`)].filter((cell) => cell.clientWidth > 0);
  // What has no answer may have the answer's place, and says nothing of its column.
  const cells = name === 'what' ? shown.filter((cell) => !cell.closest('.wide')) : shown;
  const rest = cells.map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return cell.clientWidth - range.getBoundingClientRect().width;
  });
  return [name, { cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent), rest: Math.min(...rest) }];
}))"""

# What is wider than what holds it, of all that is shown.
TOO_WIDE = """() => [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('pre, .tabs, .rows, .head, .echo')
  && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 120))"""

SMALL = """(least) => [...document.querySelectorAll('button, select, input:not([type=range], [type=checkbox]), .bar summary')]
  .filter((one) => one.checkVisibility() && !one.matches('.link') && one.getBoundingClientRect().height < least)
  .map((one) => one.outerHTML.slice(0, 120))"""

# The contrast of each pair of the palette, by WCAG 2.2.
CONTRAST = """(pairs) => {
  const probe = document.createElement('i');
  document.body.append(probe);
  const luminance = (name) => {
    probe.style.color = `var(--${name})`;
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((part) => part / 255).map((part) =>
      (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const told = pairs.map(([text, ground]) => {
    const [high, low] = [luminance(text), luminance(ground)].sort((a, b) => b - a);
    return [text, ground, (high + 0.05) / (low + 0.05)];
  });
  probe.remove();
  return told;
}"""


@pytest.fixture(scope="module")
def scene(server):
    sandbox = server.sandbox()
    ada = lively(sandbox)
    yield sandbox, ada
    ada.wire.close_socket()


def views(page, name):
    """Turns to a part, where a narrow page shows one at a time."""
    tab = page.get_by_role("navigation", name="Parts of the page").get_by_role("button", name=name)
    if tab.is_visible():
        tab.click()


@pytest.mark.short
def test_there_is_one_number_for_what_is_broken(scene, page):
    sandbox, ada = scene
    report = sandbox.call("POST", "verdicts", {})
    # One of those that are broken is only advised, and time does not go on.
    advice = next(one for one in report["verdicts"] if one["result"] == "fail" and one["rule"] == "registers-after-the-initialisation")
    advice["result"] = "advice"
    report["counts"] |= {"fail": report["counts"]["fail"] - 1, "advice": report["counts"]["advice"] + 1}
    broken, advised = ([one["rule"] for one in report["verdicts"] if one["result"] == result] for result in ("fail", "advice"))
    assert broken and advised, "both are needed here"
    page.route("**/verdicts", lambda route: route.fulfill(json=report))
    page.open(sandbox)
    bar = page.get_by_role("banner").get_by_role("button", name="✗")
    expect(bar).to_have_text(f"✗ {len(broken)} broken")
    expect(page.verdict.locator("summary .chip.bad")).to_have_text(f"✗ broken {len(broken)}")
    expect(page.verdict.locator("summary .chip.warn", has_text="advice")).to_have_text(f"! advice {len(advised)}")
    bar.click()
    rules = page.verdict.get_by_role("region", name="Rules")
    group = rules.locator("> details", has=page.get_by_role("heading", name=f"✗ broken {len(broken)}", exact=True))
    expect(group.locator("> details > summary > strong")).to_have_text(broken)
    # The stream shows it too, for its entries.
    expect(page.row(ada.refusal).locator(".c-marks .bad")).to_have_text("✗")
    against = next(one["entry"] for one in advice["evidence"] if one["against"])
    expect(page.row(against).locator(".c-marks")).to_have_text("! ")
    page.select(against)
    expect(page.entry).to_contain_text(f"! against advice {advice['rule']}")


def test_findings_and_entries_are_counted_in_words(server, page):
    sandbox = server.sandbox()
    Flood(sandbox, count=1200, rate=None).join()
    page.open(sandbox)
    expect(page.get_by_role("banner")).to_contain_text("⚠ 1,200 findings")
    expect(page.stream).to_contain_text("1,200 entries")
    page.stream.get_by_role("searchbox", name="Filter").fill("number:1..3")
    expect(page.stream).to_contain_text("3 of 1,200")


@pytest.mark.parametrize("width", [1920, 1400, 1000, 390])
@pytest.mark.parametrize("query", ["", "?entry=3"], ids=["nothing-chosen", "chosen"])
def test_no_column_is_cut_while_another_has_room(scene, window, width, query):
    sandbox, ada = scene
    page = window(width).open(sandbox, query)
    if query:
        page.shows(3)
        views(page, "Stream")
    expect(page.row(11)).to_be_visible()
    told = page.evaluate(COLUMNS)
    assert not told["number"]["cut"], told
    if not query and width != 1000:
        assert not told["result"]["cut"] and (width == 390 or not told["lane"]["cut"]), told
    if width != 390 and any(told[name]["cut"] for name in told):
        # What is measured is the text alone: what stands around it may add some pixels.
        assert all(one["rest"] < 24 for one in told.values()), told


@pytest.mark.parametrize("width", [1400, 1000, 390])
def test_numbers_of_five_digits_are_legible(server, window, width):
    sandbox = server.sandbox()
    Flood(sandbox, count=10_050, rate=None, threads=8).join()
    page = window(width).open(sandbox)
    expect(page.row(10_050)).to_be_visible()
    told = page.evaluate(COLUMNS)
    assert not told["number"]["cut"] and not told["what"]["cut"], told


@pytest.mark.short
def test_the_middle_says_what_to_do(server, page):
    sandbox = server.sandbox()
    page.open(sandbox)
    expect(page.entry.get_by_role("heading")).to_have_text("Waiting for the first call")
    expect(page.entry.locator("code")).to_have_text(f"sparring env --sandbox {sandbox.name} --url {server.url}")
    expect(page.stream).to_contain_text("No entry yet")
    refusal = refused_sign_in(sandbox)
    expect(page.entry.get_by_role("heading")).to_have_text("Choose an entry")
    expect(page.stream).not_to_contain_text("No entry yet")
    wide = page.stream.bounding_box()["width"]

    page.entry.get_by_role("button", name="Refused calls").click()
    expect(page.stream.get_by_role("searchbox", name="Filter")).to_have_value("refused")
    expect(page.stream.locator(".rows .r")).to_have_count(1)
    page.entry.get_by_role("button", name="Newest entry").click()
    page.shows(refusal)
    assert page.stream.bounding_box()["width"] < wide - 100, "while nothing is chosen the stream has the room"
    page.stream.get_by_role("grid").focus()
    page.keyboard.press("Escape")
    expect(page.entry.get_by_role("heading")).to_have_text("Choose an entry")


def test_what_is_empty_says_so(server, page):
    sandbox = server.sandbox()
    refused_sign_in(sandbox)
    page.route("**/verdicts", lambda route: page.wait_for_timeout(1500) or route.continue_())
    page.open(sandbox)
    expect(page.verdict.locator("summary").first).to_contain_text("judging…")
    expect(page.verdict.locator("summary").first).to_contain_text("✗ broken 1")
    page.stream.get_by_role("searchbox", name="Filter").fill("status:999")
    expect(page.stream).to_contain_text("No entry matches the filter")
    page.stream.get_by_role("button", name="Clear the filter").click()
    expect(page.stream).not_to_contain_text("No entry matches the filter")
    expect(page.row(1)).to_be_visible()
    expect(page.stream.get_by_role("searchbox", name="Filter")).to_have_value("")


def test_a_server_that_does_not_answer_is_waited_for(server, page):
    sandbox = server.sandbox()
    page.route("**/stream?**", lambda route: route.abort())
    page.goto(sandbox.page)
    expect(page.stream.locator(".frame")).to_contain_text("connecting…")
    expect(page.connection).to_have_text("○ connecting…")


TIMES = """() => ({
  bar: document.querySelector('#top .clock').textContent, world: document.querySelector('sp-world [data-due=""]')?.textContent,
  due: document.querySelector('sp-world .due [data-due]')?.textContent,
})"""


def seconds(text):
    """Of a time or of what is left, such as `in 1:04`."""
    parts = re.search(r"\d+(:\d\d)+", text)[0].split(":")
    return sum(int(part) * 60**place for place, part in enumerate(reversed(parts)))


@pytest.mark.short
def test_times_run(server, page):
    sandbox = server.sandbox(clock={"mode": "rate", "rate": 2})
    ada = Consumer(sandbox).talk()
    page.open(sandbox)
    first = until(lambda: (told := page.evaluate(TIMES)) and told["due"] and told)
    page.wait_for_timeout(2500)
    later = page.evaluate(TIMES)
    for told in (first, later):
        assert seconds(told["bar"]) == seconds(told["world"]), told
    run = seconds(later["bar"]) - seconds(first["bar"])
    assert 4 <= run <= 9, (first, later)
    assert abs(seconds(first["due"]) - seconds(later["due"]) - run) <= 1, (first, later)

    # What is advanced by is what is left at the click, not what was left when it was drawn.
    page.world.get_by_role("button", name="Advance to it").first.click()
    entry = until(lambda: [one for one in sandbox.entries() if one["kind"] == "clock"], what="the clock's entry")[0]
    by = re.search(r"(\d+)ms", page.console_line.locator("code").first.text_content())[1]
    assert int(by) / 1000 <= seconds(later["due"]) + 1, (by, later, entry)

    page.get_by_role("banner").get_by_role("button", name="Freeze").click()
    expect(page.world.get_by_role("button", name="Resume")).to_be_visible()
    frozen = page.evaluate(TIMES)
    page.wait_for_timeout(1200)
    assert page.evaluate(TIMES) == frozen
    ada.wire.close_socket()


def test_times_of_the_past_stand_still(server, page):
    sandbox = server.sandbox(clock={"mode": "real"})
    ada = Consumer(sandbox).talk()
    page.open(sandbox)
    page.travel(sandbox.last())
    clock = page.world.locator("details").first
    expect(clock).to_contain_text("Nothing is scheduled.")
    before = clock.inner_text()
    at = page.evaluate(TIMES)["bar"]
    page.wait_for_timeout(2200)
    assert clock.inner_text() == before and page.evaluate(TIMES)["bar"] != at
    ada.wire.close_socket()


@pytest.mark.short
def test_a_line_has_a_field_of_one_line(scene, page):
    sandbox, ada = scene
    page.open(sandbox, f"?entry={ada.refusal}")
    page.shows(ada.refusal)
    page.entry.get_by_role("button", name="Resend changed").click()
    expect(page.entry.get_by_role("heading", name=f"Send #{ada.refusal} again, changed")).to_be_visible()
    fields = {name: page.entry.get_by_label(name, exact=True) for name in ("method", "target", "headers", "body")}
    tags = {name: field.evaluate("(field) => field.localName") for name, field in fields.items()}
    assert tags == {"method": "input", "target": "input", "headers": "textarea", "body": "textarea"}
    boxes = {name: field.bounding_box() for name, field in fields.items()}
    assert boxes["method"]["height"] < 32 and boxes["target"]["height"] < 32
    # Fields stand below each other, and have the width that there is.
    assert len({box["x"] for box in boxes.values()}) == 1 and min(box["width"] for box in boxes.values()) > 250, boxes
    fields["method"].fill("GET")
    page.entry.get_by_role("button", name="Send", exact=True).click()
    expect(page.entry.get_by_role("status")).to_contain_text("answered 405")
    # Escape leaves the form from within a field.
    page.entry.get_by_role("button", name="Resend changed").click()
    fields["body"].focus()
    page.keyboard.press("Escape")
    expect(fields["body"]).to_have_count(0)


def test_fields_of_the_world_are_in_line(scene, page):
    sandbox, ada = scene
    page.open(sandbox, "?panes=clock sockets devices")
    form = page.world.locator("form")
    expect(form.nth(4)).to_be_visible()
    left = {round(one.bounding_box()["x"]) for one in page.world.locator("form .field > input").all()}
    assert len(left) == 1, left
    due = page.world.locator(".due button")
    expect(due).to_have_count(2)
    assert len({round(one.bounding_box()["x"]) for one in due.all()}) == 1
    hint = page.world.get_by_placeholder("2026-11-21T07:00:00Z")
    assert hint.evaluate("(field) => { field.value = field.placeholder; const cut = field.scrollWidth > field.clientWidth; field.value = ''; return cut; }") is False


def shown_parts(page, ada):
    """Opens one part after the other, with what it has."""
    yield "stream"
    page.store(f"store.select({ada.refusal})")
    page.shows(ada.refusal)
    yield "entry"
    for tab in page.entry.get_by_role("tab").all():
        tab.click()
        yield tab.inner_text()
    page.entry.get_by_role("button", name="Resend changed").click()
    yield "resend"
    page.entry.get_by_role("button", name="Arm a fault here").click()
    expect(page.entry).to_contain_text("sparring fault add")
    yield "fault"
    views(page, "World")
    for pane in ("Conversations", "Devices & pushes", "Sockets", "Faults", "Scenario", "Tenants & credentials"):
        page.world.get_by_text(pane, exact=True).click()
    expect(page.world.get_by_role("button", name="Mint")).to_be_visible()
    yield "world"
    views(page, "Verdict")
    page.verdict.locator("details").first.evaluate("(drawer) => { drawer.open = true; }")
    expect(page.verdict.get_by_role("region", name="Rules")).to_contain_text("not exercised")
    yield "verdict"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    yield "keys"


@pytest.mark.parametrize(("width", "scheme"), SIZES, ids=NAMED)
def test_nothing_is_wider_than_the_page(scene, window, width, scheme):
    sandbox, ada = scene
    page = window(width, 844, color_scheme=scheme, has_touch=width < 800).open(sandbox)
    for part in shown_parts(page, ada):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, part
        assert page.evaluate("document.documentElement.scrollHeight") <= 844, part
        assert not (wide := page.evaluate(TOO_WIDE)), (part, wide)
        small = page.evaluate(SMALL, 36 if width < 800 else 24)
        assert not small, (part, small)


def test_an_entry_has_two_lines_on_a_phone(scene, window):
    sandbox, ada = scene
    page = window(390, 844, has_touch=True).open(sandbox, "?filter=number:1..9")
    expect(page.row(ada.refusal)).to_be_visible()
    places = """(row) => Object.fromEntries(['number', 'what', 'lane', 'result', 'marks'].map((name) => {
      const { y, width } = row.querySelector(`.c-${name}`).getBoundingClientRect();
      return [name, { y, width }];
    }))"""
    cells = page.row(ada.refusal).evaluate(places)
    assert page.row(ada.refusal).bounding_box()["height"] >= 44
    assert cells["number"]["y"] == cells["what"]["y"] < cells["lane"]["y"] == cells["result"]["y"] == cells["marks"]["y"], cells
    assert cells["what"]["width"] > 250
    expect(page.row(ada.refusal).locator(".c-result")).to_have_text("400 code-reused")
    # What is filtered from elsewhere is shown.
    views(page, "World")
    page.get_by_role("banner").get_by_role("button", name="⚠").tap()
    expect(page.stream.get_by_role("searchbox", name="Filter")).to_have_value("finding")
    expect(page.row(ada.refusal)).to_have_count(0)


def test_at_a_thousand_pixels_the_world_is_below_the_entry(scene, window):
    sandbox, ada = scene
    page = window(1000, 800).open(sandbox, f"?entry={ada.refusal}")
    page.shows(ada.refusal)
    stream, entry, world = (part.bounding_box() for part in (page.stream, page.entry, page.world))
    # A link to an entry shows it, on a phone too.
    phone = window(390, 844).open(sandbox, f"?entry={ada.refusal}")
    expect(phone.entry).to_be_visible()
    assert stream["width"] > 500 and entry["width"] == world["width"] > 400
    assert entry["x"] == world["x"] and world["y"] >= entry["y"] + entry["height"] - 1 and entry["height"] > 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_palette_has_contrast(server, window, scheme):
    page = window(color_scheme=scheme).open(server.sandbox())
    texts = [(text, ground) for text in ("fg", "fg2", "accent", "ok", "warn", "bad") for ground in ("bg", "bg2", "select")]
    told = page.evaluate(CONTRAST, texts)
    assert all(ratio >= 4.5 for _, _, ratio in told), told
    edges = page.evaluate(CONTRAST, [("edge", "bg"), ("accent", "bg"), ("accent", "select")])
    assert all(ratio >= 3 for _, _, ratio in edges), edges


def test_a_menu_is_seen_whole_and_closes(scene, page):
    sandbox, ada = scene
    page.open(sandbox, f"?entry={ada.refusal}")
    page.shows(ada.refusal)
    help_of_filter, copies = page.stream.locator(".bar details"), page.entry.locator(".bar details")
    for details, column in ((help_of_filter, page.stream), (copies, page.entry)):
        details.locator("summary").click()
        box, around = details.locator("summary + *").bounding_box(), column.bounding_box()
        assert box["x"] >= around["x"] and box["x"] + box["width"] <= around["x"] + around["width"], (box, around)
        page.keyboard.press("Escape")
        expect(details).not_to_have_attribute("open", "")
        expect(details.locator("summary")).to_be_focused()
        page.shows(ada.refusal)
    help_of_filter.locator("summary").click()
    expect(help_of_filter).to_contain_text("All terms must match; a leading minus negates one")
    copies.locator("summary").click()
    expect(help_of_filter).not_to_have_attribute("open", "")
    page.row(1).click()
    expect(copies).not_to_have_attribute("open", "")


def test_keys_have_the_names_that_are_on_them(server, page):
    page.open(server.sandbox())
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys.locator("dt", has_text="Space")).to_be_visible()
    expect(keys.locator("dt").first).to_have_text("j ↓ ")
    assert all(one.strip() for one in keys.locator("dt").all_inner_texts())
    assert "Arrow" not in keys.inner_text()


def test_a_row_shows_its_worst_and_what_is_chosen(scene, page):
    sandbox, ada = scene
    page.open(sandbox)
    finding = sandbox.last()
    while not sandbox.call("GET", f"journal/{finding}").get("findings"):
        finding -= 1
    edge = "(row) => getComputedStyle(row).boxShadow"
    expect(page.row(ada.refusal).locator(".bad")).to_be_visible()
    red, amber, none = (page.row(number).evaluate(edge) for number in (ada.refusal, finding, 1))
    assert none == "none" and red != amber and "none" not in (red, amber)
    before = page.row(5).evaluate("(row) => getComputedStyle(row).backgroundColor")
    page.row(5).hover()
    assert page.row(5).evaluate("(row) => getComputedStyle(row).backgroundColor") != before
    assert page.row(5).evaluate("(row) => getComputedStyle(row).cursor") == "pointer"
    page.row(5).click()
    page.shows(5)
    expect(page.row(5)).to_have_css("outline-style", "solid")


def test_the_way_back_from_the_past_stays_in_view(scene, window):
    sandbox, ada = scene
    page = window(1400, 500).open(sandbox, "?panes=clock conversations devices faults")
    page.travel(sandbox.last())
    expect(page.world).to_contain_text("My card does not work")
    page.world.evaluate("(world) => { world.scrollTop = world.scrollHeight; }")
    assert page.world.evaluate("(world) => world.scrollTop") > 0
    expect(page.world.get_by_role("button", name="Back to now")).to_be_in_viewport(ratio=1)
