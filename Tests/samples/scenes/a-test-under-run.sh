# README's client passes with the fixture, and `run` judges the sandbox of its test; as it was first, it fails.
cat >test_client.py <<'END'
import os
import subprocess
import sys


def test_client(sandbox):
    names = {"SPARRING_URL": sandbox["baseURL"], "SPARRING_SANDBOX": sandbox["id"]}
    names["SPARRING_LIVEPERSON_ACCOUNT_ID"] = sandbox["tenants"]["liveperson"]["accountId"]
    subprocess.run([sys.executable, os.environ["CLIENT"]], env=os.environ | names, check=True)
END
judged() { CLIENT=$CLIENTS/$1 sparring run --scenario pusher-down-for-31s --time-scale 0.1 --junit run.xml -- python3 -m pytest -q -p no:cacheprovider test_client.py; }
judged client.py || return
grep -q 'name="test" value="test_client.py::test_client"' run.xml || return
judged first.py
[ $? = 1 ]
