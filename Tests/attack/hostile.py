"""A hostile sandbox beside a good one: what the good one's clients feel of it, and what memory it costs.

    python3 hostile.py SPARRING [--rounds 5] [--seconds 4] [--attack NAME …]

The good one's clients look up services on connections that they keep and on new ones, sign in, and talk on sockets, at a fixed rate. They are
measured alone and beside the attack in turn, all in one run; what counts is the median of the rounds' p99s beside it, and the most memory that the
server ever had. Their ratio to those alone is given too: it compares two states of the server on one machine. Server and clients share this machine;
the attackers yield the processor to the others (nice). The exit status is 1 where the p99 is above --p99 or the memory above --memory.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import resource
import statistics
import sys
import threading
import time

from server import Server, mint, sign_in
from wire import PING, TEXT, connect, consumer, head, open_dialog, publish

# What the sandbox `hostile` does, by name; each runs in threads of its own until it is asked to stop.
ATTACKS = {}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sparring")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=4, help="that each round is measured, alone and beside the attack")
parser.add_argument("--attack", action="append", default=[], help="only these")
parser.add_argument("--idle", type=int, default=10_000, help="idle connections")
parser.add_argument("--p99", type=float, default=250, help="milliseconds")
parser.add_argument("--memory", type=float, default=300, help="MiB")

PATIENCE = 5  # seconds after which a good client gives a call up
ACCOUNTS = {"good": "good-brand", "hostile": "hostile-brand"}
PATTERN = "(a+)+$"
AGENTS = [
    {"userId": "55", "nickname": "Alex", "script": [
        {"on": "text", "matching": PATTERN, "do": {"act": "say", "text": "?"}},
        {"on": "text", "matching": ".*order.*number.*[0-9]+.*$", "do": {"act": "say", "text": "!"}}]}]


# The hostile one


def attack(name, count=1):
    def keep(work):
        ATTACKS[name] = work, count
        return work

    return keep


class Target:
    """What an attacker knows of the server."""

    def __init__(self, port, tokens):
        self.port, self.tokens, self.account = port, tokens, ACCOUNTS["hostile"]
        self.tls_port = None

    def socket(self, number, **options):
        return consumer(self, self.tokens[number % len(self.tokens)], self.account, **options)

    def post(self, target, body):
        return head("POST", target, self.port, "Content-Type: application/json", f"Content-Length: {len(body)}") + body


def paced(is_over, rate):
    """Turns at a rate; those that are late are left out."""
    due = time.monotonic()
    while not is_over.is_set():
        yield
        due = max(due + 1 / rate, time.monotonic() - 1 / rate)
        is_over.wait(max(0, due - time.monotonic()))


def shout(connection, is_over, data, rate):
    """Sends and reads nothing; that the other side takes no more is waited for."""
    connection.settimeout(0.2)
    left = b""
    for _ in paced(is_over, rate):
        left = left or data
        try:
            left = left[connection.send(left) :]
        except TimeoutError:
            continue


@attack("pings", 4)
def pings(target, number, is_over):
    """Some 4 MB/s of empty pings in all, whose pongs nobody reads."""
    one = target.socket(number, receive_buffer=4096)
    shout(one.connection, is_over, bytes([0x80 | PING, 0x80, 1, 2, 3, 4]) * 8000, 20)


@attack("messages", 2)
def messages(target, number, is_over):
    """GetClock faster than it can be answered, and the answers are not read."""
    one = target.socket(number, receive_buffer=4096)
    text = json.dumps({"kind": "req", "id": "1", "type": "GetClock", "body": {}}).encode()
    masked = bytes([0x80 | TEXT, 0x80 | len(text), 0, 0, 0, 0]) + text
    shout(one.connection, is_over, masked * 100, 20)


@attack("giant bodies", 2)
def giant_bodies(target, number, is_over):
    """A megabyte of a token, of a list, of digits, of an unknown member."""
    size = (1 << 20) - 200
    bodies = [
        b'{"id_token":"' + b"a" * size + b'"}', b'{"id_token":[' + b"0," * (size // 2) + b"0]}", b'{"id_token":' + b"1" * size + b"}",
        b'{"' + b"a" * size + b'":1}', b"[" * size, b'{"id_token":"' + b"\\u0000" * (size // 6) + b'"}']
    for turn, _ in enumerate(paced(is_over, 4)):
        with contextlib.suppress(OSError):
            with contextlib.closing(connect(target.port, 2)) as one:
                one.sendall(target.post(f"/api/account/{target.account}/app/default/authenticate?v=2.0", bodies[turn % len(bodies)]))
                one.recv(100)


@attack("patterns")
def patterns(target, number, is_over):
    """What the regular expressions of an agent's script have the hardest time with."""
    one = target.socket(number)
    dialog = open_dialog(one)
    texts = ["a" * 40 + "!", "order number " * 800, "a" * 8000 + "!"]
    for turn, _ in enumerate(paced(is_over, 6)):
        one.tell(
            "ms.PublishEvent",
            {"dialogId": dialog, "event": {"type": "ContentEvent", "contentType": "text/plain", "message": texts[turn % len(texts)]}})


@attack("long paths", 2)
def long_paths(target, number, is_over):
    """Paths that no operation has, of 15 kB."""
    paths = ["/a" * 7500, f"/api/account/{'1' * 15000}/app/default/authenticate?v=2.0", "/" + "%61" * 5000]
    for turn, _ in enumerate(paced(is_over, 10)):
        with contextlib.suppress(OSError):
            with contextlib.closing(connect(target.port, 2)) as one:
                one.sendall(head("GET", paths[turn % len(paths)], target.port))
                one.recv(100)


@attack("long queries", 1)
def long_queries(target, number, is_over):
    """300 arguments in a query."""
    for _ in paced(is_over, 10):
        with contextlib.suppress(OSError):
            with contextlib.closing(connect(target.port, 0.5)) as one:
                one.sendall(head("GET", "/x?" + "&".join(["a=1"] * 300), target.port))
                one.recv(100)


@attack("slow heads")
def slow_heads(target, number, is_over):
    """300 requests of which a byte comes now and then, and some that are given up."""
    open_ones = []
    for _ in paced(is_over, 2):
        while len(open_ones) < 300:
            with contextlib.suppress(OSError):
                one = connect(target.port, 2)
                one.sendall(b"GET / HTTP/1.1\r\nX: ")
                open_ones.append(one)
        for one in open_ones:
            with contextlib.suppress(OSError):
                one.send(b"x")
        for one in open_ones[:30]:
            one.close()
        del open_ones[:30]
    for one in open_ones:
        one.close()


def open_idle(target, count):
    """Connections on which nothing is ever said, as many as the server takes: that may be fewer, and it may throw older ones out."""
    held, refused = [], 0
    while len(held) < count and refused < 20:
        try:
            held.append(connect(target.port, 0.5))
        except OSError:
            refused += 1
    return held


def hostile(channel, port, tokens, names, idle):
    """A process: says how many connections it holds, attacks, and ends when asked to."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    target, is_over = Target(port, tokens), threading.Event()

    def run(work, number):
        while not is_over.is_set():
            try:
                work(target, number, is_over)
            except OSError:
                is_over.wait(0.2)  # it was thrown out, and comes back

    # Daemons: the process ends with its channel, whatever a thread waits for.
    for name in names:
        work, count = ATTACKS[name]
        for number in range(count):
            threading.Thread(target=run, args=(work, number), daemon=True).start()
    time.sleep(1)
    held = open_idle(target, idle)
    channel.send(len(held))
    channel.recv()
    is_over.set()
    os._exit(0)


# The good one


class Good:
    """Its clients, each with a rate, and how long each of their calls took."""

    def __init__(self, server):
        self.server, self.account = server, ACCOUNTS["good"]
        self.lookup = f"/api/account/{self.account}/service/idp/baseURI.json?version=1.0"
        self.tokens = [sign_in(server, f"good-{number}", self.account, "good") for number in range(4)]
        self.credential = mint(server, "good-9", "good", lifetime="12h")
        self.kinds = {
            "lookups on kept connections": (self.kept, 4, 25), "lookups on new connections": (self.new, 2, 15),
            "sign-ins": (self.signs_in, 1, 10), "messages": (self.talks, 4, 10)}

    def measure(self, seconds):
        """By kind: seconds that each call took; a call without an answer counts as PATIENCE."""
        took, lost, is_over, threads = {kind: [] for kind in self.kinds}, [], threading.Event(), []

        def run(kind, work, number, rate):
            while not is_over.is_set():
                begun = time.perf_counter()
                try:
                    for begun in self.turns(is_over, rate, took[kind], work(number)):
                        pass
                except (OSError, http.client.HTTPException, ValueError, RuntimeError) as error:
                    if not is_over.is_set() or time.perf_counter() - begun > 1:
                        took[kind].append(PATIENCE)
                        lost.append(f"{kind}: {error!r}")

        for kind, (work, count, rate) in self.kinds.items():
            for number in range(count):
                threads.append(threading.Thread(target=run, args=(kind, work, number, rate), daemon=True))
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        is_over.set()
        for thread in threads:
            thread.join(3 * PATIENCE)
        return took, lost

    @staticmethod
    def turns(is_over, rate, took, calls):
        next(calls)  # prepares
        for _ in paced(is_over, rate):
            begun = time.perf_counter()
            yield begun
            next(calls)
            took.append(time.perf_counter() - begun)

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)

    def call(self, connection, method, target, body=None):
        connection.request(method, target, body=body, headers={"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} {text[:200]}")

    def kept(self, number):
        with contextlib.closing(self.connection()) as connection:
            self.call(connection, "GET", self.lookup)
            while True:
                yield
                self.call(connection, "GET", self.lookup)

    def new(self, number):
        while True:
            yield
            with contextlib.closing(self.connection()) as connection:
                self.call(connection, "GET", self.lookup)

    def signs_in(self, number):
        body = json.dumps({"id_token": self.credential})
        with contextlib.closing(self.connection()) as connection:
            while True:
                yield
                self.call(connection, "POST", f"/api/account/{self.account}/app/default/authenticate?v=2.0", body)

    def talks(self, number):
        with contextlib.closing(consumer(self.server, self.tokens[number], self.account, timeout=PATIENCE)) as socket:
            dialog = open_dialog(socket)
            while True:
                yield
                answer = publish(socket, dialog, "is anybody there?")
                if answer["code"] != 200:
                    raise RuntimeError(str(answer))


def p99(seconds):
    """Who was answered twice at most was hardly served."""
    if len(seconds) < 2:
        return PATIENCE
    return statistics.quantiles(seconds, n=100, method="inclusive")[98]


def settled(server):
    """Waits until the server is at rest again, so that a round does not inherit from the one before."""
    def used():
        with open(f"/proc/{server.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    deadline, before = time.monotonic() + 20, used()
    while time.monotonic() < deadline:
        time.sleep(0.5)
        before, last = used(), before
        if before - last < 0.1:
            return


def main(arguments):
    names = arguments.attack or list(ATTACKS)
    spread = multiprocessing.get_context("fork")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < arguments.idle + 1000:
        sys.exit(f"{arguments.idle:,} connections cannot be held here: raise the hard limit of open files (ulimit -Hn)")
    alone, beside, kinds, lost, held = [], [], {}, [], 0
    with Server(arguments.sparring, folder=None) as server:
        for sandbox, account in ACCOUNTS.items():
            server.admin("POST", "sandboxes", {"name": sandbox, "tenants": {"liveperson": {"accountId": account}}})
        server.admin("PATCH", "sandboxes/hostile/tenants/liveperson", {"agents": AGENTS})
        tokens = [sign_in(server, f"eve-{number}", ACCOUNTS["hostile"], "hostile") for number in range(8)]
        good = Good(server)
        good.measure(1)  # warms
        idle = server.resident()[0]
        for turn in range(arguments.rounds):
            took, lost = good.measure(arguments.seconds)
            if lost:
                print(f"WRONG alone, in round {turn + 1}: {lost[0]}")
                break
            alone.append(p99(sum(took.values(), [])))
            for kind, each in took.items():
                kinds.setdefault(kind, ([], []))[0].append(p99(each))
            here, there = spread.Pipe()
            enemy = spread.Process(target=hostile, args=(there, server.port, tokens, names, arguments.idle), daemon=True)
            enemy.start()
            held = here.recv() if here.poll(60) else 0
            time.sleep(1)
            took, lost = good.measure(arguments.seconds)
            with contextlib.suppress(BrokenPipeError):
                here.send("enough")
            enemy.join(10)
            if enemy.is_alive():
                enemy.kill()
                enemy.join()
            beside.append(p99(sum(took.values(), [])))
            for kind, each in took.items():
                kinds[kind][1].append(p99(each))
            now, most = server.resident()
            print(
                f"  round {turn + 1}: p99 alone {alone[-1] * 1000:.1f} ms, beside {beside[-1] * 1000:.1f} ms; {held:,} idle connections held; "
                f"resident {now:.0f} MiB, at most {most:.0f} MiB", flush=True)
            if lost:
                print(f"WRONG beside the attack: {len(lost)} calls had no answer or a wrong one, such as {lost[0]}")
                break
            settled(server)
        most = server.resident()[1] if server.process.poll() is None else float("inf")
    for kind, (before, after) in kinds.items():
        if after:
            print(f"  {kind:30} p99 alone {statistics.median(before) * 1000:7.2f} ms   beside {statistics.median(after) * 1000:8.2f} ms")
    worst = statistics.median(beside) * 1000 if beside else float("inf")
    ratio = worst / 1000 / statistics.median(alone)
    print(
        f"p99 beside {', '.join(names)} and {held:,} idle connections: {worst:.0f} ms, {ratio:.1f} × its own alone; "
        f"memory {idle:.0f} MiB before, {most:.0f} MiB at most")
    wrong = [text for is_so, text in [
        (lost, "calls of the good one were lost"), (worst > arguments.p99, f"the p99 is above {arguments.p99:.0f} ms"),
        (most > arguments.memory, f"the memory is above {arguments.memory:.0f} MiB")] if is_so]
    if wrong:
        print("FAILED: " + "; ".join(wrong))
        return 1
    print("the good one is unharmed")
    return 0


if __name__ == "__main__":
    sys.exit(main(parser.parse_args()))
