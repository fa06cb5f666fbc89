"""Compares what a sample shows with what was printed. What differs from run to run is compared by its shape: the table SHAPES. `…` on a line of its
own stands for any lines, `…` within a line for any text."""

import functools
import re

# Of the first shape that fits at a place, any text of that shape may stand there. Those with a name stand for a thing: the same thing each time.
SHAPES = [
    ("time", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", False),
    ("day", r"(?<=live )\d{4}-\d\d-\d\d(?=[, ])", False),
    ("milliseconds since 1970", r"\b1[789]\d{11}\b", False),
    ("credential", r"\beyJ[\w-]+\.[\w-]+\.[\w.-]+", False),
    ("uuid", r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", True),
    ("id", r"\b[0-9a-f]{16,}\b", True),
    ("address", r"\b127\.0\.0\.1:(?!8080)\d{2,5}\b", False),
    # Whole seconds, minutes and hours are the sample's own, milliseconds and fractions the machine's.
    ("duration", r"(?:[+−]|\b)(?:\d+(?:\.\d+)?[  ](?:ms|µs)|\d+\.\d+[  ](?:s|min|h))(?!\w)", False),
    # What grows with the contracts: how many rules, operations and so on there are.
    ("count", r"(?<=of )\d+(?= \(\d+%\)| rules| famil)|(?<=\()\d+(?=%\))|(?<=, )\d{2,}(?= not exercised)|(?<=and )\d+(?= more(?:;|$))"
        r"|\b\d{2,}(?= rules were not)|\b\d{3,}(?= operations and messages| rules\b)", False),
    ("contract's line", r"(?<=\.yaml:)\d+", False),
]
SHAPE = re.compile(
    "|".join(f"(?P<s{number}>{pattern})" for number, (_, pattern, _) in enumerate(SHAPES)) + r"|(?P<any> ?… ?)|(?P<gap>(?<=\S) {2,})")


@functools.cache
def compiled(line):
    """A line of a sample as a pattern, and the things that it names in their order."""
    pattern, things, end = "", [], 0
    for match in SHAPE.finditer(line):
        pattern += re.escape(line[end:match.start()])
        end = match.end()
        if match["any"]:
            pattern += ".*"
        elif match["gap"]:
            pattern += " {2,}"
        else:
            _, shape, is_thing = SHAPES[int(match.lastgroup[1:])]
            shape = shape.replace("(?!8080)", "")
            pattern += f"({shape})" if is_thing else f"(?:{shape})"
            things += [match[0]] if is_thing else []
    return re.compile(pattern + re.escape(line[end:])), things


def fits(shown, printed, things):
    """Whether lines fit those of a sample. `things` says what a thing of the page is called in this run, and learns it."""

    @functools.cache
    def rest(at, place):
        """The things of the lines from here on, if they fit."""
        if at == len(shown):
            return () if place == len(printed) else None
        if shown[at].strip() == "…":
            return next((found for end in range(place, len(printed) + 1) if (found := rest(at + 1, end)) is not None), None)
        if place == len(printed):
            return None
        pattern, names = compiled(shown[at].rstrip())
        match = pattern.fullmatch(printed[place].rstrip())
        after = match and rest(at + 1, place + 1)
        return None if after is None or not match else (*zip(names, match.groups()), *after)

    found = rest(0, 0)
    if found is None:
        return False
    for name, called in found:
        if things.setdefault(name, called) != called:
            return False
    return True


def check_itself():
    """What fits, and what does not."""
    one, other = "852457d6-7fc1-4276-a6e5-ffd1afc9c3b0", "db35f55e-133a-423d-afeb-b7db2c7b131d"
    for shown, printed, is_good in [
        (["at 2026-11-30T08:12:38.769Z in 12 ms"], ["at 2027-01-01T00:00:00Z in 1.2 s"], True), (["in 12 ms"], ["in 9 ms"], True),
        (["after 60 s"], ["after 61 s"], False), (["1 of 89 rules failed"], ["1 of 91 rules failed"], True),
        (["2 of 89 rules failed"], ["1 of 89 rules failed"], False), (["a", "…", "d"], ["a", "b", "c", "d"], True), (["a", "…"], ["b"], False),
        (["a  b"], ["a     b"], True), (["a"], ["a", "b"], False), (["eyJhbGci…"], ["eyJhbGciOiJ"], True),
        ([f"{one} {one}"], [f"{other} {other}"], True), ([f"{one} {one}"], [f"{one} {other}"], False),
    ]:
        if fits(shown, printed, {}) != is_good:
            raise AssertionError(f"{shown} {'does not fit' if is_good else 'fits'} {printed}")
