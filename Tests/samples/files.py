"""Checks blocks that are no commands: files of configurations, scenarios and overlays, and pieces of programs."""

import ast
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree

import yaml

from page import Wrong

# What reads a YAML file, by a key that it has at its top. Other YAML is a piece of a file, and only parsed.
READERS = {
    "sandboxes": 'sparring serve --config "{}"',
    "scenario": 'sparring scenario check "{}"',
    "overlay": 'sparring contract lint --overlay "{}"',
}


def check(stage, block):
    """Raises what is wrong with a block."""
    if block.kind not in CHECKS:
        raise Wrong(f"a block of '{block.kind}' cannot be run: say why in a comment, or which command prints it")
    CHECKS[block.kind](stage, block)


def check_yaml(stage, block):
    text = put_into(block.asks["part of"].split("."), block.text) if "part of" in block.asks else block.text
    document = yaml.safe_load(text)
    reader = isinstance(document, dict) and next((READERS[key] for key in READERS if key in document), None)
    if not reader:
        return
    stage.begin()
    file = stage.folder / f"{document['scenario'] if reader == READERS['scenario'] else 'sample'}.yaml"
    file.write_text(text)
    status, printed = stage.run(reader.format(file) + " >printed.txt 2>&1 || { cat printed.txt; false; }")
    if status:
        raise Wrong("\n    ".join(printed))


def put_into(path, text):
    """The text of a YAML file in which a piece has its place, such as tenants.liveperson."""
    if path == ["overlay"]:
        return f"overlay: 1.1.0\ninfo: {{ title: A sample, version: '1' }}\n{text}"
    for name in reversed([] if path == ["sandbox"] else path):
        text = f"{name}:\n{indented(text, 2)}"
    return f"sandboxes:\n  - name: default\n{indented(text, 4)}"


def indented(text, spaces):
    return re.sub(r"^(?=.)", " " * spaces, text, flags=re.M)


def check_json(stage, block):
    json.loads(block.text)
    if "part of" in block.asks:
        check_yaml(stage, block)


def check_python(stage, block):
    ast.parse(block.text)


def check_xml(stage, block):
    xml.etree.ElementTree.fromstring(f"<sample>{block.text}</sample>")


def check_js(stage, block):
    is_module = re.search(r"^import |^(?:const .* = )?await ", block.text, re.M)
    parse(stage, block.text, ".mjs" if is_module else ".cjs", "node", "--check")


def check_swift(stage, block):
    text = f"enum Sample {{\n{block.text}}}\n" if block.text.startswith("static ") else block.text
    parse(stage, text, ".swift", "swiftc", "-frontend", "-parse")


def parse(stage, text, suffix, *command):
    """Has a program read a file, where there is the program."""
    if not shutil.which(command[0]):
        return
    file = stage.folder / f"sample{suffix}"
    file.write_text(text)
    read = subprocess.run([*command, file], capture_output=True, text=True, timeout=60)
    if read.returncode:
        raise Wrong(read.stderr)


CHECKS = {
    "yaml": check_yaml, "json": check_json, "python": check_python, "xml": check_xml, "js": check_js, "swift": check_swift,
    "text": lambda stage, block: None}
