# README's client passes with the fixture, by a server that has a token; as it was first, it fails.
export SPARRING_ADMIN_TOKEN=only-for-tests
cat >test_client.py <<'END'
import os
import subprocess
import sys


def test_client(sandbox):
    names = {"SPARRING_URL": sandbox["baseURL"], "SPARRING_SANDBOX": sandbox["id"]}
    names["SPARRING_LIVEPERSON_ACCOUNT_ID"] = sandbox["tenants"]["liveperson"]["accountId"]
    subprocess.run([sys.executable, os.environ["CLIENT"]], env=os.environ | names, check=True)
END
sed -i 's/token=""/token=os.environ["SPARRING_ADMIN_TOKEN"]/' "$CLIENTS/client.py" "$CLIENTS/first.py"
CLIENT=$CLIENTS/client.py python3 -m pytest -q -p no:cacheprovider test_client.py || return
! CLIENT=$CLIENTS/first.py python3 -m pytest -q -p no:cacheprovider test_client.py
