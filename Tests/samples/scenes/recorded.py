"""Makes an archive that a vendor could have recorded, of one of Sparring's own: each change is a way in which the vendor answers otherwise.

    recorded.py traffic.har CHANGE…
"""

import json
import sys


def answer(entry):
    return json.loads(entry["response"]["content"]["text"])


def put(entry, body):
    text = json.dumps(body)
    entry["response"]["content"] |= {"text": text, "size": len(text.encode())}


def header(entry, name, value):
    for field in entry["response"]["headers"]:
        if field["name"].lower() == name:
            field["value"] = value


def number_for_a_token(entry):
    if "signup" in entry["request"]["url"]:
        put(entry, answer(entry) | {"jwt": 1})


def another_host(entry):
    if "baseURI" in entry["request"]["url"]:
        visited = json.loads(json.dumps(entry))
        visited["request"]["url"] = "https://www.brand.example/"
        return visited


def plain_metadata(entry):
    if "well-known" in entry["request"]["url"]:
        header(entry, "content-type", "text/plain")
        entry["response"]["content"]["mimeType"] = "text/plain"


def half_an_hour(entry):
    if entry["request"]["url"].endswith("/token"):
        put(entry, answer(entry) | {"expires_in": 1800})


def text_for_a_count(entry):
    if "unread" in entry["request"]["url"]:
        put(entry, {name: str(value) if name == "total" else value for name, value in answer(entry).items()})


def another_status(entry):
    if "/engagement?" in entry["request"]["url"]:
        entry["response"]["content"]["text"] = entry["response"]["content"]["text"].replace('"expose"', '"exposed"')


def main():
    file, *changes = sys.argv[1:]
    with open(file) as source:
        archive = json.load(source)
    entries = archive["log"]["entries"]
    for change in changes:
        for entry in list(entries):
            if added := globals()[change](entry):
                entries.append(added)
    with open(file, "w") as target:
        json.dump(archive, target)


if __name__ == "__main__":
    main()
