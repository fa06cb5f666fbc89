"""What a farm is set up with is sound: HAProxy takes its configuration for 1, 3 and 50 nodes, Kubernetes' schemas take the manifests, systemd takes the unit.

    deploy.py --binary SPARRING

Needs haproxy, systemd-analyze and, of PyPI, kubernetes-validate.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DEPLOY = Path(__file__).parents[2] / "Sources" / "Packaging" / "deploy"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def certificate(folder):
    """A certificate and its key in one file, as HAProxy wants it."""
    key, own, both = folder / "key.pem", folder / "own.pem", folder / "both.pem"
    made = run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=sparring.test", "-keyout", key, "-out", own)
    assert made.returncode == 0, made.stderr
    both.write_text(own.read_text() + key.read_text())
    return both, own


def balancers(binary, folder):
    """Every form of the configuration is one that HAProxy takes without a warning."""
    both, own = certificate(folder)
    table = folder / "accounts.map"
    table.touch()
    forms = [[], ["--no-tls"], ["--map", table], ["--certificate", both], ["--certificate", both, "--authority", own, "--map", table]]
    complaints = []
    for count in (1, 3, 50):
        nodes = [word for number in range(count) for word in ("--node", f"node-{number}=10.0.0.{number + 1}")]
        for form in forms:
            made = run(binary, "balancer", "haproxy", *nodes, "--host", "sparring.test", "--socket", folder / "haproxy.sock", *form)
            name = f"{count} nodes {' '.join(str(word) for word in form)}"
            if made.returncode:
                complaints.append(f"{name}: {made.stderr}")
                continue
            file = folder / "haproxy.cfg"
            file.write_text(made.stdout)
            checked = run("haproxy", "-c", "-f", file)
            if checked.returncode or "WARNING" in checked.stderr + checked.stdout:
                complaints.append(f"{name}: {(checked.stdout + checked.stderr)[:2000]}")
    return complaints


def manifests():
    checked = run(Path(sys.executable).parent / "kubernetes-validate", "--strict", DEPLOY / "kubernetes.yaml")
    return [checked.stdout + checked.stderr] if checked.returncode else []


def unit(binary, folder):
    """The instance of a node; the manual's pages are not installed here."""
    made = folder / "sparring@a.service"
    text = (DEPLOY / "sparring@.service").read_text().replace("/usr/bin/sparring", os.path.abspath(binary))
    made.write_text("\n".join(line for line in text.splitlines() if not line.startswith("Documentation=")) + "\n")
    checked = run("systemd-analyze", "verify", made)
    return [checked.stderr] if checked.returncode or checked.stderr.strip() else []


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        complaints = balancers(given.binary, folder) + manifests() + unit(given.binary, folder)
    for complaint in complaints:
        print(f"WRONG {complaint}")
    print(f"deploy: HAProxy's configuration for 1, 3 and 50 nodes, the manifests and the unit, {len(complaints)} wrong")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
