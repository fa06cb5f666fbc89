"""Apps with their vendors' host names built in run against the emulation, given nothing but a proxy and a CA; nothing is connected to meanwhile.

    proxied.py SPARRING [serve's options …]

A library that is loaded into the server notes what it resolves and connects to: that it would notice is shown by the last server, which passes
calls on.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from peer import check, finish

HERE = Path(__file__).parent
BINARY, OPTIONS = sys.argv[1], sys.argv[2:]


class Server:
    def __init__(self, folder, name, *options):
        self.noted = folder / f"{name}.connects"
        ready = folder / f"{name}.json"
        environment = os.environ | {"LD_PRELOAD": str(folder / "connects.so"), "SPARRING_CONNECTS": str(self.noted)}
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"):
            environment.pop(variable, None)
        words = [BINARY, "serve", "--port", "0", "--tls-port", "0", "--proxy-port", "0", "--quiet", "--ready-file", str(ready)]
        self.process = subprocess.Popen([*words, "--ca-folder", str(folder / "ca"), *OPTIONS, *options], env=environment)
        while not ready.exists():
            if self.process.poll() is not None:
                sys.exit(f"the server ended with {self.process.returncode}")
            time.sleep(0.05)
        self.ports = json.loads(ready.read_text())
        self.base = f"http://127.0.0.1:{self.ports['port']}"
        self.proxy = f"http://127.0.0.1:{self.ports['proxyPort']}"
        self.ca = folder / f"{name}.pem"
        self.ca.write_bytes(self.get("/__admin/ca"))

    def get(self, path):
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(self.base + path, timeout=20) as answer:
            return answer.read()

    def json(self, path):
        return json.loads(self.get(path))

    @property
    def environment(self):
        """What an app is given."""
        environment = {name: value for name, value in os.environ.items() if name.lower() not in ("no_proxy", "all_proxy")}
        names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
        files = ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
        return environment | {name: self.proxy for name in names} | {name: str(self.ca) for name in files}

    def run(self, *words, **options):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=120, **options)

    def stop(self):
        self.process.terminate()
        check("the server stops", self.process.wait(20) == 0)

    @property
    def connects(self):
        return self.noted.read_text().splitlines() if self.noted.exists() else []


def emulated(server, folder):
    tenants = server.json("/__admin/sandboxes/default")["tenants"]
    ids = {
        "liveperson": tenants["liveperson"]["accountId"], "cxone": tenants["cxone"]["brandId"],
        "channel": tenants["cxone"]["singleThreadChannelId"], "khoros": tenants["khoros"]["iosIntegrationId"],
        "talkdesk": tenants["talkdesk"]["clientId"], "talkdeskSecret": tenants["talkdesk"]["clientSecret"]}
    app = server.run(sys.executable, HERE / "proxied_app.py", json.dumps(ids))
    check("an app in Python talks to four vendors by their own names", app.returncode == 0 and app.stdout.count("\n") == 8, app.stdout + app.stderr)
    check("the lookup hands out the names that were called", "api.liveperson.net api.liveperson.net" in app.stdout, app.stdout)
    lookup = f"//api.liveperson.net/api/account/{ids['liveperson']}/service/idp/baseURI.json?version=1.0"
    for scheme in ("https:", "http:"):
        answer = server.run("curl", "--silent", "--show-error", "--fail", scheme + lookup)
        check(f"curl by {scheme}", answer.returncode == 0 and json.loads(answer.stdout)["baseURI"] == "api.liveperson.net", answer)
    refused = server.run("curl", "--silent", "--show-error", "http://elsewhere.example/x")
    check("another host is refused", json.loads(refused.stdout)["status"] == 502 and "elsewhere.example is not" in refused.stdout, refused)
    refused = server.run("curl", "--silent", "--show-error", "https://elsewhere.example/x")
    check("and another host's tunnel", refused.returncode != 0 and "502" in refused.stderr, refused)
    refused = server.run("curl", "--silent", "--header", "Host: elsewhere.example", f"https:{lookup}")
    check("and another host's name in a tunnel", "in a tunnel to api.liveperson.net" in refused.stdout, refused)
    brand = server.run("curl", "--silent", "--write-out", "%{http_code}", "--output", "/dev/null", "https://login.brand.example/nothing")
    check("a host that --proxy-host names is served", brand.stdout == "404", brand)
    refused = server.run("curl", "--silent", "https://api.liveperson.net/__admin/sandboxes")
    check("a vendor's name does not lead to the admin API", json.loads(refused.stdout)["status"] == 403, refused)
    told = [entry["reason"] for entry in server.json("/__admin/unplaced")["entries"]]
    check("each refusal is in the journal of what matched nothing", sum("elsewhere.example" in reason for reason in told) == 3, told)
    if shutil.which("java") and shutil.which("keytool"):
        store = folder / "trust.p12"
        subprocess.run(
            ["keytool", "-importcert", "-noprompt", "-alias", "sparring", "-file", server.ca, "-keystore", store, "-storetype", "PKCS12",
             "-storepass", "changeit"], check=True, capture_output=True)
        port = server.ports["proxyPort"]
        settings = {"https.proxyHost": "127.0.0.1", "https.proxyPort": port, "javax.net.ssl.trustStore": store, "javax.net.ssl.trustStorePassword": "changeit"}
        app = server.run("java", *[f"-D{name}={value}" for name, value in settings.items()], HERE / "ProxiedApp.java", ids["liveperson"])
        check("an app on the JVM talks to LivePerson by its own names", "Java true" in app.stdout, app.stdout + app.stderr)
    check("nothing was resolved or connected to", server.connects == [], server.connects)
    server.stop()


def passed_on(server):
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.path.encode())

        def log_message(self, *_):
            pass

    page = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=page.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{page.server_port}/a?b"
    for words in (["--proxytunnel"], []):
        answer = server.run("curl", "--silent", "--noproxy", "", *words, url)
        check(f"what is for others is passed on {words}", answer.stdout == "/a?b", answer)
    check("and would have been noticed", server.connects == ["resolve 127.0.0.1", "connect 127.0.0.1"] * 2, server.connects)
    server.stop()


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "connects.so", HERE / "connects.c", "-ldl"], check=True)
    emulated(Server(folder, "refuse", "--proxy-host", "*.brand.example"), folder)
    passed_on(Server(folder, "pass", "--proxy-others", "pass"))
finish()
