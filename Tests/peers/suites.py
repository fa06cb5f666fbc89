"""Plays the CI jobs of users who run their own suites under `sparring run`, and holds what comes out to the documentation: exit status, JUnit, JSON,
page, and what GitHub Actions gets. The suites stand in the folder beside: pytest's and Node's, whose tests make sandboxes of their own.

    suites.py --binary .build-test/debug/sparring                  # all cases
    suites.py … --case 2-pytest-with-a-bad-client             # one
"""

import argparse
import concurrent.futures
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import junitparser

SUITES = Path(__file__).resolve().parent / "suites"
NODE_TESTS = "sign_in.test.mjs register.test.mjs wait.test.mjs sign_out.test.mjs"
SECOND = "0.1"  # what a second of the app's timers takes
GOOD = {
    "signs-in": "pass counts-the-unread-messages",
    "signs-in-by-code": "pass never-brings-a-code-twice",
    "fetches-another-token": "pass fetches-a-fresh-token",
    "fetches-another-code": "pass fetches-a-fresh-code",
    "signs-in-anew-for-pushes": "pass fetches-a-fresh-token registers-in-the-end",
    "waits-for-the-pusher": "pass backs-off-1-2-4-8-16s",
    "says-that-it-cannot-sign-in": "pass does-not-sign-in-in-a-loop",
    "unregisters-when-the-user-leaves": "pass unregisters-before-signing-out unregisters-in-the-end backs-off-1-2-4-8-16s",
}
GOOD_NODE = {name: rules for name, rules in GOOD.items() if name not in ("signs-in", "fetches-another-token")} | {
    "signs-in-anew-for-pushes": "pass registers-in-the-end",  # it signs in by code
}
# No test of the whole suite came through: what the scenarios expect that some of them are made of was not exercised.
UNREACHED = dict.fromkeys(GOOD, "not-exercised") | {
    "signs-in-anew-for-pushes": "not-exercised fetches-a-fresh-token registers-in-the-end",
    "says-that-it-cannot-sign-in": "not-exercised does-not-sign-in-in-a-loop",
    "unregisters-when-the-user-leaves": "not-exercised backs-off-1-2-4-8-16s unregisters-before-signing-out unregisters-in-the-end",
}
INCIDENTS = {
    "unregister-answer-lost": "pass unregisters-in-the-end unregisters-before-signing-out",
    "unregister-fails-twice-at-sign-out": "pass unregisters-before-signing-out unregisters-in-the-end backs-off-1-2-4-8-16s",
    "unregister-lost": "pass unregisters-before-signing-out",
    "registration-refused-as-expired": "pass fetches-a-fresh-token registers-in-the-end",
    "wrong-issuer": "pass does-not-sign-in-in-a-loop",
    "token-expired-at-sign-in": "pass fetches-a-fresh-token",
}
SCENARIOS = "--scenario unregister-* --scenario registration-refused-as-expired --scenario wrong-issuer --scenario token-expired-at-sign-in --jobs 4 --rate 20"


class Case(NamedTuple):
    """A CI job: its command, and what is expected of its run."""

    command: str
    # The exit status of the run.
    status: int
    # What is expected of each sandbox: a result, and rules. Of a sandbox that passes these have passed, of any other these and no others are wrong.
    sandboxes: dict
    # How many JUnit counts: rules that were broken; commands that failed, and rules that a scenario expects and nobody came to.
    failures: int = 0
    errors: int = 0
    # What the page says first: its heading, and the line below it.
    headline: str = ""
    options: str = ""
    # The exit status of each play's command.
    commands: tuple = (0,)
    # What the command itself wrote.
    wrote: tuple = ()
    # What the run says beside its verdicts, on the terminal and in all reports.
    says: tuple = ()
    # What the command's error in JUnit says.
    error: str = ""
    environment: dict = {}
    # The sandbox whose play is played again by the command line in the report, to the same end.
    again: str = None


CASES = {
    "1-pytest": Case(
        command="pytest -n 4 test_app.py", status=0, sandboxes=GOOD,
        headline="[Aa]ll 8 sandboxes passed", wrote=(r"4 workers \[8 items\]", "8 passed")),
    "2-pytest-with-a-bad-client": Case(
        command="pytest -n 4 test_app.py test_bad_habits.py::test_hurries", status=1, sandboxes=GOOD | {"hurries": "fail backs-off-1-2-4-8-16s"},
        failures=1, headline="hurries|backs-off-1-2-4-8-16s", wrote=(r"4 workers \[9 items\]", "9 passed")),
    "3-pytest-with-a-failing-test": Case(
        command="pytest -n 4 test_app.py test_mistaken.py", status=1, sandboxes=GOOD | {"expects-too-much": "pass initialises-at-every-login"},
        errors=1, headline="command.* (failed|exited with 1)", commands=(1,), wrote=(r"4 workers \[9 items\]", "1 failed, 8 passed"), error="exited with 1"),
    "4-pytest-that-deletes-its-sandboxes": Case(
        command="pytest -n 4 --tidy test_app.py test_bad_habits.py", status=1,
        sandboxes=GOOD | {"hurries": "fail backs-off-1-2-4-8-16s", "brings-a-token-again": "fail fetches-a-fresh-token"},
        failures=2, headline="2 of 10 sandboxes failed", wrote=(r"4 workers \[10 items\]", "10 passed")),
    "5-node": Case(
        command=f"node --test --test-concurrency=4 {NODE_TESTS}", status=0, sandboxes=GOOD_NODE,
        headline="[Aa]ll 6 sandboxes passed", wrote=("# pass 6", "# fail 0")),
    "6-node-with-a-bad-client": Case(
        command=f"node --test --test-concurrency=4 {NODE_TESTS} bad_habits.test.mjs", status=1,
        sandboxes=GOOD_NODE | {"hurries": "fail backs-off-1-2-4-8-16s", "brings-its-code-again": "fail fetches-a-fresh-code never-brings-a-code-twice"},
        failures=3, headline="2 of 8 sandboxes failed", wrote=("# pass 8", "# fail 0")),
    "7-scenarios": Case(
        options=SCENARIOS, command="pytest test_incident.py", status=0, sandboxes=INCIDENTS,
        headline="[Aa]ll 6 sandboxes passed", commands=(0,) * 6, wrote=("1 passed",)),
    "8-scenarios-with-a-client-that-is-bad-in-one": Case(
        options=SCENARIOS, command="pytest test_incident.py", status=1,
        sandboxes=INCIDENTS | {"registration-refused-as-expired": "fail fetches-a-fresh-token"}, failures=1,
        headline="registration-refused-as-expired failed: fetches-a-fresh-token", commands=(0,) * 6, wrote=("1 passed",),
        environment={"APP_HABIT": "registers-with-the-old-token"}, again="registration-refused-as-expired"),
    "9-nothing-is-called": Case(
        options="--scenario wrong-issuer", command="pytest -n 4 test_offline.py", status=2,
        sandboxes={"wrong-issuer": "not-exercised does-not-sign-in-in-a-loop"}, errors=1,
        headline="[Nn]o request reached", wrote=("2 passed",), says=("no request reached Sparring",)),
    "10-no-such-command": Case(command="pytset -n 4 test_app.py", status=127, sandboxes={}, says=("pytset",)),
    "11-killed": Case(
        command="pytest test_app.py::test_signs_in test_killed.py", status=137, sandboxes={"signs-in": GOOD["signs-in"]},
        errors=1, headline="137", commands=(137,), wrote=(r"test_app.py \.",), error=r"137[\s\S]*signal|signal[\s\S]*137"),
    "12-the-ca-is-not-trusted": Case(
        options="--no-trust", command="pytest -n 4 test_app.py", status=1, sandboxes=UNREACHED,
        errors=7, headline="0 of 8 sandboxes passed", commands=(1,), wrote=("8 failed", "CERTIFICATE_VERIFY_FAILED"),
        says=("no request reached a sandbox", "TLS connection.* ended without a request", "sparring trust"), error="exited with 1"),
}


class Page(HTMLParser):
    """What a reader sees of the HTML report."""

    EMPTY = {"meta", "br", "hr", "img", "link", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.loads, self.matrix, self.sections, self.verdicts = [], {}, [], [], {}, 0
        self.feed(text)
        self.close()
        if self.open:
            self.loads.append(f"an element that is not closed: {self.open[-1][0]}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "script" or any(name.startswith("on") for name in attributes) or attributes.get("src") or tag == "link":
            self.loads.append(tag)
        words = (attributes.get("class") or "").split()
        if "sandbox" in words:
            self.sections[len(self.sections)] = ["", "open" in attributes]
        self.verdicts += "verdict" in words and "fail" in words and "open" in attributes
        if tag == "tr" and self._inside("table", "matrix") and self._inside("tbody"):
            self.matrix.append([])
        if tag in ("th", "td") and self.matrix and self._inside("tbody"):
            self.matrix[-1].append("")
        if tag not in self.EMPTY:
            self.open.append((tag, words, "open" in attributes))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.loads.append(f"an end that fits no beginning: {tag}")

    def handle_data(self, data):
        if self._inside("style"):
            return
        if self._inside("h1") or self._inside("header") and self._inside("p") and not self._inside("p", "again"):
            self._add("headline", data + " ")
        self._add("all", data)
        if not any(tag == "details" and not is_open for tag, _, is_open in self.open):
            self._add("unfolded", data)
        if self._inside("table", "matrix") and self._inside("tbody") and self.matrix and self.matrix[-1]:
            self.matrix[-1][-1] += data.strip()
        if self._inside("h2") and self._inside("summary") and self.sections:
            self.sections[len(self.sections) - 1][0] += data

    def _add(self, place, data):
        self.texts[place] = self.texts.get(place, "") + data

    def _inside(self, tag, word=None):
        return any(name == tag and (word is None or word in words) for name, words, _ in self.open)


class Outcome:
    """What a run has left."""

    def __init__(self, case, binary, folder):
        self.case, self.folder = case, Path(folder)
        self.environment = environment(binary, folder, case)
        names = {"--junit": "report.xml", "--html": "report.html", "--json-report": "report.json"}
        self.files = {option: self.folder / name for option, name in names.items()}
        command = [binary, "run", *case.options.split(), "--time-scale", SECOND]
        command += [word for option, file in self.files.items() for word in (option, str(file))] + ["--", *case.command.split()]
        self.result = subprocess.run(command, cwd=SUITES, env=self.environment, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
        self.wrong = [f"left behind: {file.name}" for file in self.folder.glob("sparring-*")]

    def expect(self, what, wanted, found):
        if wanted != found:
            self.wrong.append(f"{what}: {found!r} where {wanted!r} was expected")

    def expect_words(self, where, pattern, text):
        if not re.search(pattern, text):
            self.wrong.append(f"{where}: nothing like {pattern!r} in {' '.join(text.split())[:160]!r}")

    def judge(self):
        self.expect("exit status", self.case.status, self.result.returncode)
        for words in self.case.says:
            self.expect_words("standard error", words, self.result.stderr)
        if not self.case.sandboxes:
            for option, file in self.files.items():
                if file.exists():
                    self.wrong.append(f"{option}: a report was written of a command that never ran")
            return self.wrong
        for file in self.files.values():
            if not file.exists():
                return self.wrong + [f"{file.name} was not written: {self.result.stderr[-300:]}"]
        self.report = json.loads(self.files["--json-report"].read_text())
        # By its scenario where a play has one: then no test makes another.
        self.judged = [(play.get("scenario") or sandbox["sandbox"], sandbox) for play in self.report["plays"] for sandbox in play["sandboxes"]]
        self.judge_json()
        self.judge_junit()
        self.judge_page(Page(self.files["--html"].read_text()))
        self.judge_what_github_is_told()
        for option, file in self.files.items():
            if re.search(r"eyJ[\w-]{10,}\.", file.read_text()):
                self.wrong.append(f"{option}: a token stands in it")
        if self.case.again:
            self.play_again()
        return self.wrong

    def judge_json(self):
        report = self.report
        self.expect("JSON: exitStatus", self.case.status, report["exitStatus"])
        # A sandbox in which nothing was exercised that was wanted comes before those that passed.
        found = [rules.split() for rules in self.case.sandboxes.values()]
        order = ("fail", "not-exercised wanted", "pass", "not-exercised")
        results = {result + (" wanted" if result == "not-exercised" and wanted else "") for result, *wanted in found}
        self.expect("JSON: result", next(result for result in order if result in results).split()[0], report["result"])
        self.expect("JSON: format", True, isinstance(report["format"], int))
        self.expect("JSON: exit status of each command", list(self.case.commands), [play["commandStatus"] for play in report["plays"]])
        self.expect("JSON: sandboxes", sorted(self.case.sandboxes), sorted(name for name, _ in self.judged))
        for name, sandbox in self.judged:
            result, *rules = self.case.sandboxes.get(name, "no").split()
            self.expect(f"JSON: {name}", result, sandbox["result"])
            if result == "pass":
                self.expect(f"JSON: {name}: passed of {rules}", set(rules), set(rules) & rules_of(sandbox, is_passed))
            self.expect(f"JSON: {name}: failed", sorted(rules) if result == "fail" else [], sorted(rules_of(sandbox, is_failed)))
            self.expect(f"JSON: {name}: missed", sorted(rules) if result == "not-exercised" else [], sorted(rules_of(sandbox, is_missed)))
            self.expect(f"JSON: {name}: contract", 0, sandbox["contract"]["counts"]["fail"])
        for play in report["plays"]:
            self.expect_words("JSON: again", rf"sparring run .*--seed \d+ -- {re.escape(self.case.command)}$", play["again"])
            for words in self.case.wrote:
                self.expect_words("JSON: output", words, play["output"])
            for words in self.case.says:
                self.expect_words("JSON: notes", words, "\n".join(play.get("notes", [])))
            if play.get("scenario"):
                self.expect_words("JSON: output", f"scenario {play['scenario']}, account", play["output"])
        accounts = {account for play in report["plays"] for account in re.findall(r"account (\d+)", play.get("output", ""))}
        if len(report["plays"]) > 1:
            self.expect("accounts of all plays", 1, len(accounts))

    def judge_junit(self):
        xml = junitparser.JUnitXml.fromfile(str(self.files["--junit"]))
        suites = list(xml)
        cases = [(suite, case) for suite in suites for case in suite]
        found = {"failures": by_kind(cases, junitparser.Failure), "errors": by_kind(cases, junitparser.Error), "skipped": by_kind(cases, junitparser.Skipped)}
        listed = [verdict for _, sandbox in self.judged for verdict in sandbox["verdicts"] if is_listed(verdict)]
        wanted = {"failures": self.case.failures, "errors": self.case.errors}
        wanted["skipped"] = sum(verdict["result"] in ("undecided", "excused") and not verdict["expected"] for verdict in listed)
        for kind, count in wanted.items():
            self.expect(f"JUnit: {kind}", count, len(found[kind]))
            self.expect(f"JUnit: {kind} by its root", count, getattr(xml, kind))
            self.expect(f"JUnit: {kind} by its suites", count, sum(getattr(suite, kind) for suite in suites))
        # One for each command, one for each sandbox's contract, and the rules that were exercised or expected.
        count = len(self.case.commands) + len(self.judged) + len(listed)
        self.expect("JUnit: testcases", [count] * 3, [len(cases), xml.tests, sum(suite.tests for suite in suites)])
        self.expect("JUnit: suites", len(suites), len({suite.name for suite in suites}))
        self.expect("JUnit: testcases of one name", [], sorted(repeated((case.classname, case.name) for _, case in cases)))
        names = {sandbox["sandbox"]: name for name, sandbox in self.judged}
        places = {name: set() for name in self.case.sandboxes}
        for suite, case in found["failures"] + found["errors"]:
            sandbox = {each.name: each.value for each in suite.properties()}.get("sandbox")
            if sandbox:
                places.setdefault(names.get(sandbox), set()).add(case.name)
        wrong = {name: set() if rules.split()[0] == "pass" else set(rules.split()[1:]) for name, rules in self.case.sandboxes.items()}
        self.expect("JUnit: what is wrong in each sandbox's suites", wrong, places)
        commands = [(suite, case) for suite, case in cases if case.classname == "sparring.command"]
        self.expect("JUnit: commands that failed", sum(status != 0 for status in self.case.commands), len(by_kind(commands, junitparser.Error)))
        for _, case in commands:
            for words in self.case.says:
                self.expect_words("JUnit: output of the command's testcase", words, case.system_out or "")
            for result in case.result:
                self.expect_words("JUnit: the command's error", self.case.error, f"{result.message}\n{result.text}")

    def judge_page(self, page):
        self.expect("page: scripts, things from elsewhere, broken markup", [], page.loads)
        self.expect_words("page: headline", self.case.headline, page.texts["headline"])
        for words in self.case.says:
            self.expect_words("page: without unfolding anything", words, page.texts["unfolded"])
        self.expect("page: broken rules that are opened", self.case.failures, page.verdicts)
        for play in self.report["plays"]:
            self.expect(f"page: has {play['again']}", True, play["again"] in page.texts["all"])
        if len(self.judged) == 1:
            return self.expect("page: rows of the table", [], page.matrix)
        signs = {"pass": "✓", "fail": "✗"}
        statuses = [play["commandStatus"] for play in self.report["plays"] for _ in play["sandboxes"]]
        self.expect("page: rows of the table", len(self.judged), len(page.matrix))
        several = len(self.report["plays"]) > 1
        # Of one play, what is wrong stands first, and the command's exit status once.
        found = {row[0].split(" / ")[-1]: row for row in page.matrix}
        rows = page.matrix if several else [found.get(name, [""] * 3) for name, _ in self.judged]
        bad_rows = [row[1] for row in page.matrix]
        self.expect("page: what is wrong stands first", True, several or "✗" not in bad_rows[bad_rows.count("✗"):])
        for (name, sandbox), status, row in zip(self.judged, statuses, rows):
            self.expect(f"page: the table's row of {name}", True, row[0].endswith(name))
            self.expect(f"page: result of {name}", signs.get(sandbox["result"], row[1]), row[1])
            if several:
                self.expect(f"page: exit status beside {name}", str(status), row[2])
            self.expect(f"page: broken rules of {name} in the table", len(rules_of(sandbox, is_failed)), row[2 + several:].count("✗"))
        is_open = {name.split(" ", 1)[1].split(" / ")[-1]: is_open for name, is_open in page.sections.values()}
        failed = {name: rules.startswith("fail") for name, rules in self.case.sandboxes.items()}
        self.expect("page: sections, and whether they are opened", failed, is_open)

    def judge_what_github_is_told(self):
        lines = re.findall(r"^::error .*", self.result.stdout + "\n" + self.result.stderr, re.MULTILINE)
        self.expect("GitHub: errors beside the run", self.case.failures + sum(status != 0 for status in self.case.commands), len(lines))
        for rules in self.case.sandboxes.values():
            for rule in rules.split()[1:] if rules.startswith("fail") else []:
                self.expect_words("GitHub: errors beside the run", rf"::error [^:]*{rule}", "\n".join(lines))
        rows = (self.folder / "summary.md").read_text().splitlines()
        for name in self.case.sandboxes:
            self.expect(f"GitHub: rows of {name} in the summary", 1, sum(bool(re.search(rf"^\|[^|]*\| (.* / )?{name} \|", row)) for row in rows))

    def play_again(self):
        play = next(play for play in self.report["plays"] if play.get("scenario") == self.case.again)
        result = subprocess.run(play["again"], shell=True, cwd=SUITES, env=self.environment, capture_output=True, text=True, timeout=120)
        self.expect(f"played again by {play['again']}: exit status", self.case.status, result.returncode)
        for file in [*self.files.values(), self.folder / "summary.md"]:
            self.expect(f"{file.name}: has {play['again']}", True, play["again"] in html.unescape(file.read_text()))
        _, *rules = self.case.sandboxes[self.case.again].split()
        for rule in rules:
            self.expect_words("played again", f"FAIL {rule}", result.stdout)


def is_passed(verdict):
    return verdict["result"] == "pass"


def is_failed(verdict):
    return verdict["result"] == "fail"


def is_missed(verdict):
    """A scenario expects it, and the client did not come to it."""
    return verdict["expected"] and verdict["result"] in ("not-exercised", "undecided", "excused")


def is_listed(verdict):
    """JUnit has it without --all-rules."""
    return verdict["expected"] or verdict["result"] != "not-exercised"


def rules_of(sandbox, is_wanted):
    return {verdict["rule"] for verdict in sandbox["verdicts"] if is_wanted(verdict)}


def by_kind(cases, kind):
    return [(suite, case) for suite, case in cases if any(isinstance(result, kind) for result in case.result)]


def repeated(values):
    seen = set()
    return {value for value in values if value in seen or seen.add(value)}


def environment(binary, folder, case):
    """As of a job on GitHub Actions: a home where no CA is yet, and nothing that this harness runs under."""
    ours = ("SPARRING_", "GITHUB_", "PYTEST_", "NODE_TEST", "NODE_OPTIONS", "APP_")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(ours) and not name.lower().endswith("_proxy")}
    path = [str(Path(binary).parent), str(Path(sys.executable).parent), variables.get("PATH", "")]
    variables |= {"PATH": os.pathsep.join(path), "XDG_DATA_HOME": f"{folder}/share", "TMPDIR": str(folder), "APP_SECOND": SECOND, "CI": "true"}
    variables |= {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": f"{folder}/summary.md"}
    # Nothing is left in the checkout.
    variables |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    return variables | case.environment


def play(name, binary):
    """What is wrong, and how long it took."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = Outcome(CASES[name], binary, folder)
        wrong = outcome.judge()
        if wrong:
            wrong += [line for part in re.findall(r"(?ms)^FAIL.*?(?=\n\n[a-z]+ +[a-z])", outcome.result.stdout) for line in part.splitlines()]
    return wrong, time.monotonic() - started


def has_node():
    try:
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2]) >= (20, 10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="sparring")
    parser.add_argument("--case", action="append", choices=CASES, metavar="NAME", help=f"only this one, of {', '.join(CASES)}")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time; each plays four scenarios at a time")
    options = parser.parse_args()
    binary, names = str(Path(options.binary).resolve()), options.case or list(CASES)
    if not has_node():
        print("Node 20.10 or later is missing: its cases are left out")
        names = [name for name in names if "node" not in name]
    started, failed = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, (wrong, took) in zip(names, pool.map(play, names, [binary] * len(names))):
            if wrong:
                # Back-offs are judged at a tenth of the time, so a busy machine may spoil one play.
                print(f"{name} is played again", *wrong, sep="\n    ", flush=True)
                wrong, took = play(name, binary)
            failed += bool(wrong)
            print(f"{'WRONG' if wrong else 'right'} {name}, {took:.1f} s", *wrong, sep="\n    ", flush=True)
    print(f"{len(names)} cases, {failed} wrong, {time.monotonic() - started:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
