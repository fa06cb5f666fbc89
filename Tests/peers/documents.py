"""Whether the OpenAPI documents are sound to a validator that others have written, as they are and after the shipped overlays.

    documents.py --binary .build-test/debug/sparring
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

ROOT = Path(__file__).resolve().parents[2]


def complaints(name, document):
    return [f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in OpenAPIV31SpecValidator(document).iter_errors()]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    binary = options.parse_args().binary
    wrong, count = [], 0
    for file in sorted((ROOT / "contracts").glob("*.openapi.yaml")):
        wrong += complaints(file.name, yaml.safe_load(file.read_text()))
        count += 1
    overlays = sorted((ROOT / "fixtures/overlays").glob("*.overlay.yaml"))
    for overlay in overlays:
        extends = yaml.safe_load(overlay.read_text())["extends"]
        lint = subprocess.run([binary, "contract", "lint", "--strict", "--overlay", overlay], capture_output=True, text=True, timeout=60)
        if lint.returncode or lint.stderr:
            wrong.append(f"{overlay.name}: {lint.stderr or lint.returncode}")
            continue
        exported = subprocess.run([binary, "contract", "export", extends, "--overlay", overlay], capture_output=True, text=True, timeout=60, check=True)
        document = json.loads(exported.stdout)
        if document == yaml.safe_load((ROOT / "contracts" / extends).read_text()):
            wrong.append(f"{overlay.name} changes nothing in {extends}")
        if extends.endswith(".openapi.yaml"):
            wrong += complaints(overlay.name, document)
    if not count or not overlays or wrong:
        sys.exit("WRONG documents: " + ("\n".join(wrong) or "there are none"))
    print(f"documents: {count} sound, and {len(overlays)} overlays")


if __name__ == "__main__":
    main()
