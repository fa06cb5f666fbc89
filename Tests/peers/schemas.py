"""Whether the JSON Schemas of the YAML files that users write (contracts/schemas) say what Sparring reads.

    python schemas.py

Checks the schemas against the meta-schema, their examples against themselves, their names against sources, and every shipped file against its
schema; then has the schemas refuse files that are broken in one place each. Needs jsonschema and PyYAML, no server. Prints a
line for each problem, with status 1, or one line in all.
"""

import json
import re
import sys
import textwrap
from pathlib import Path
from urllib.parse import quote

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {name: json.loads((ROOT / f"contracts/schemas/{name}.schema.json").read_text()) for name in ("configuration", "scenario", "behaviour")}
REGISTRY = Registry().with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()])
VALIDATORS = {name: Draft202012Validator(schema, registry=REGISTRY) for name, schema in SCHEMAS.items()}
# The vendor of tests and of the page on adding one: no schema has its tenants.
UNKNOWN_VENDOR = "parrot"

problems = []
counts = {}


def count(what):
    counts[what] = counts.get(what, 0) + 1


# YAML as Sparring reads it: 1.2's core schema, names are texts, no name twice


class Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        names = [key.value for key, _ in node.value]
        if len(set(names)) < len(names):
            raise yaml.YAMLError(f"a name stands twice among {', '.join(names)}")
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


def plain(loader, node):
    text = node.value
    if node.style is not None:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text.lower() in ("true", "false") and text in (text.lower(), text.title(), text.upper()):
        return text.lower() == "true"
    if re.fullmatch("0x[0-9A-Fa-f]+|0o[0-7]+", text):
        return int(text, 0)
    if re.fullmatch("[-+]?(0|[1-9][0-9]*)", text):
        return int(text)
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


Loader.add_constructor("tag:yaml.org,2002:str", plain)
Loader.add_constructor("tag:yaml.org,2002:map", lambda loader, node: loader.construct_mapping(node))
Loader.add_constructor("tag:yaml.org,2002:seq", lambda loader, node: loader.construct_sequence(node, deep=True))


def read(text):
    return yaml.load(text, Loader)


def objection(name, document):
    """What the schema has against a document; None where it accepts it."""
    error = best_match(VALIDATORS[name].iter_errors(document))
    if error is None:
        return None
    return f"/{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"


def expect_sound(name, place, document):
    if words := objection(name, document):
        problems.append(f"{place}: {name}.schema.json refuses it: {words}")


# The schemas themselves


def subschemas(schema, pointer=""):
    """Each subschema with its pointer."""
    yield pointer, schema
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in ("properties", "patternProperties", "$defs", "dependentSchemas"):
            for name, inner in value.items():
                yield from subschemas(inner, f"{pointer}/{keyword}/{name.replace('~', '~0').replace('/', '~1')}")
        elif keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            for index, inner in enumerate(value):
                yield from subschemas(inner, f"{pointer}/{keyword}/{index}")
        elif keyword in ("items", "contains", "additionalProperties", "propertyNames", "if", "then", "else", "not"):
            yield from subschemas(value, f"{pointer}/{keyword}")


REFERENCES = {inner["$ref"] for schema in SCHEMAS.values() for _, inner in subschemas(schema) if isinstance(inner, dict) and "$ref" in inner}


def resolved(name, schema):
    """What a reference leads to."""
    resolver = REGISTRY.resolver(SCHEMAS[name]["$id"])
    while isinstance(schema, dict) and "$ref" in schema and "description" not in schema:
        found = resolver.lookup(schema["$ref"])
        schema, resolver = found.contents, found.resolver
    return schema


def check_schema(name):
    schema = SCHEMAS[name]
    for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema):
        problems.append(f"{name}.schema.json: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    if schema["$id"] != f"https://sparring.invalid/schemas/{name}.schema.json" or not schema.get("title"):
        problems.append(f"{name}.schema.json: $id or title is missing")
    for pointer, inner in subschemas(schema):
        if isinstance(inner, dict):
            check_subschema(name, pointer, inner)


def check_subschema(name, pointer, schema):
    place = f"{name}.schema.json: {pointer}"
    try:
        target = resolved(name, {"$ref": schema["$ref"]} if "$ref" in schema else schema)
    except Exception as error:
        return problems.append(f"{place}: {schema['$ref']} leads nowhere: {error}")
    validator = Draft202012Validator({"$ref": f"{SCHEMAS[name]['$id']}#{quote(pointer)}"}, registry=REGISTRY)
    for value in schema.get("examples", []) + [schema[keyword] for keyword in ("default",) if keyword in schema]:
        if not validator.is_valid(value):
            problems.append(f"{place}: the schema refuses its own example or default {json.dumps(value)}")
    # What only narrows a member is described where the member is: a fault and a clock in the configuration.
    narrows = re.search(r"/(if|then|else|allOf|anyOf|oneOf|prefixItems|dependentSchemas)\b", pointer) or (
        name == "scenario" and re.match(r"/\$defs/(admin\w+|[a-z]+Aim$|sandbox/properties/tenants/)", pointer))
    if re.search(r"/(properties|\$defs)/[^/]+$", pointer) and not narrows:
        if not (schema.get("description") or target.get("description") or "const" in target):
            problems.append(f"{place}: nothing describes it")
    if re.fullmatch(r"/\$defs/[^/]+", pointer) and not any(
        re.search(rf"(^|{name}\.schema\.json)#{re.escape(pointer)}(/|$)", reference) for reference in REFERENCES
    ):
        problems.append(f"{place}: nothing refers to it")


def names_of(name):
    """Every name that the schema has for a member; what is composed into it has names of the contracts."""
    composed = ROOT / f"contracts/{name}.schema.yaml"
    schema = read(composed.read_text()) if composed.exists() else SCHEMAS[name]
    return {member for _, inner in subschemas(schema) if isinstance(inner, dict) for member in inner.get("properties", {})}


def check_sources():
    """That no member is forgotten: the lists by which the readers know members are plain in the sources."""
    places = {
        "scenario": ["SparringAdmin/Scenarios/Scenario.swift", "SparringAdmin/Scenarios/ScenarioFile.swift"],
        "behaviour": ["SparringVerdict/Rules/*.swift", "SparringVerdict/Behaviour/*.swift", "SparringVerdict/Judgement/Selector.swift"],
    }
    everything = "\n".join(file.read_text() for file in (ROOT / "Sources").rglob("*.swift"))
    literals = set(re.findall(r'"([^"\\\n]*)"', everything))
    for name, patterns in places.items():
        text = "\n".join(file.read_text() for pattern in patterns for file in sorted((ROOT / "Sources").glob(pattern)))
        lists = re.findall(
            r"\b(?:known\w*|[a-zA-Z]*[mM]embers|common|kinds)(?:: \[String\])?(?: =\s*(?:[\w.]+ \+ )*|:\s*)\[(.*?)\]", text, re.S)
        known = {word for words in lists for word in re.findall(r'"([^"]*)"', words)}
        known |= set(re.findall(r'static let (?:member|word|defaults) = "([^"]*)"', text))
        if missing := sorted(known - names_of(name)):
            problems.append(f"{name}.schema.json lacks members that the sources know: {', '.join(missing)}")
        # What is configured is composed of the contracts; some words are cases of enumerations.
        names = names_of(name) - literals - {"$schema"} - names_of("configuration")
        if surplus := sorted(word for word in names if not re.search(rf"\bcase (\w+, )*{re.escape(word)}\b", everything)):
            problems.append(f"{name}.schema.json has members that no source knows: {', '.join(surplus)}")


# Files and examples


def check_files():
    for file in sorted(ROOT.glob("fixtures/scenarios/**/*.yaml")):
        expect_sound("scenario", file.relative_to(ROOT), read(file.read_text()))
        count("scenarios")
    for file in sorted(ROOT.glob("contracts/*.behaviour.yaml")):
        expect_sound("behaviour", file.relative_to(ROOT), read(file.read_text()))
        count("behaviour files")
    for file in [ROOT / "README.md", *sorted(ROOT.glob("Sources/*/Documentation.docc/*.md")), *sorted(ROOT.glob("Sources/**/*.swift"))]:
        text = file.read_text()
        for match in re.finditer(r"^([ /]*)```yaml\n(.*?)^[ /]*```", text, re.S | re.M):
            body = "\n".join(line.removeprefix(match[1]) for line in match[2].splitlines())
            check_example(f"{file.relative_to(ROOT)}:{text[:match.start()].count(chr(10)) + 1}", body)
    for file in [ROOT / "fixtures/fuzz/yaml/configuration.yaml"]:
        check_example(file.relative_to(ROOT), file.read_text())
    for file in sorted(ROOT.glob("Tests/**/*.swift")):
        text = file.read_text()
        for match in re.finditer(r'"""\n(.*?)\n *"""|"((?:[^"\\\n]|\\.)*)"', text, re.S):
            body = textwrap.dedent(match[1]) if match[1] is not None else match[2].replace("\\n", "\n").replace('\\"', '"')
            if body.lstrip().startswith("sandboxes:") and "\\(" not in body:
                check_example(f"{file.relative_to(ROOT)}:{text[:match.start()].count(chr(10)) + 1}", body)


def check_example(place, body):
    """Of whichever kind it is; most YAML in documents is something else."""
    try:
        document = read(body)
    except yaml.YAMLError:
        return
    if not isinstance(document, dict) or UNKNOWN_VENDOR in body and "sandboxes" in document:
        return
    page = Path(str(place).split(":")[0])
    defs = SCHEMAS["configuration"]["$defs"]
    # A page of a vendor shows parts of its tenants.
    vendor = page.stem.lower() if page.suffix == ".md" and page.stem.lower() in defs["tenants"]["properties"] else None
    if {"scenario", "title"} <= set(document):
        expect_sound("scenario", place, document)
    elif "behaviour" in document:
        expect_sound("behaviour", place, document)
    elif "sandboxes" in document:
        expect_sound("configuration", place, document)
    elif vendor and set(document) == {"tenants"}:
        expect_sound("configuration", place, {"sandboxes": [{"name": "example", **document}]})
    elif vendor and document and set(document) <= set(defs[vendor]["properties"]):
        expect_sound("configuration", place, {"sandboxes": [{"name": "example", "tenants": {vendor: document}}]})
    elif page.suffix == ".swift" and set(document) <= {"clients", "policies"}:
        policies = [{"says": "…", "source": "…", **{k: v for k, v in policy.items() if v != "…"}} for policy in document.get("policies", [])]
        expect_sound("behaviour", place, {"behaviour": "example", **document, "policies": policies})
    elif page.suffix == ".swift" and set(document) <= set(SCHEMAS["behaviour"]["$defs"]["rule"]["properties"]):
        expect_sound("behaviour", place, {"behaviour": "example", "rules": [{"rule": "example", "says": "…", "source": "…", **document}]})
    else:
        return
    count("examples")


# Files that are broken in one place each, and some that are sound though they look odd. A `%` stands for the wrapping around what is written.

WRAPPINGS = {
    "configuration": "{ sandboxes: [{ name: default, % }] }",
    "scenario": "{ scenario: x, title: X, about: It happens., % }",
    "behaviour": "{ behaviour: liveperson, rules: [{ rule: x, says: X., source: nobody, % }] }",
}
AGENT = 'tenants: { liveperson: { agents: [{ userId: "55", % }] } }'
CHANNEL = "tenants: { cxone: { channels: [{ channelId: a, % }] } }"
ISSUER = "tenants: { liveperson: { issuers: [{ iss: me, % }] } }"
STEP = "timeline: [{ at: 1s, % }]"

SOUND = {
    "configuration": """
        nothing but a list | = sandboxes: []
        a reference to the schema | = { $schema: x.json, sandboxes: [] }
        a scenario beside the file | scenario: ./mine.yaml
        an empty clock | clock:
        a rate alone | clock: { rate: 0.5 }
        a clock that is slow | clock: { mode: real, offset: -PT5M }
        times in words of each kind | tenants: { talkdesk: { tokenLifetime: 60, codeLifetime: 1.5m, refreshTokenLifetime: P1DT2H } }
        waits in words and in seconds | tenants: { asapp: { push: { waits: [1, 2s] } } }
        null for what is not to be changed or is to be removed | tenants: { talkdesk: null, asapp: { push: { waits: null, headers: { a: null } } } }
        a part of what is merged | tenants: { identity: { appKey: { secret: s } }, liveperson: { push: { proxy: { timeout: 3s } } } }
        an agent who echoes | AGENT script: echo
        a script whose later steps need no event | AGENT script: [{ on: text, do: { act: accept } }, { do: { act: say, text: "{{text}}" } }]
        a fault with a quoted word | faults: ['*.Login.* status code=502 "body=Bad Gateway" type="text/html"', '"*" STALL']
        faults by members | faults: [{ where: "*", effect: delay, from: 1s, to: 3s, times: "2", "header:x-a": 1 }, { fault: "* STALL" }]
        a close frame without a code, and one with a reason | faults: [{ where: "*", effect: close }, { where: "*", effect: close, code: 1011, reason: later }]
        headers of a status | faults: ["* status code=302 location=/in", { where: "*", effect: status, code: 302, location: /in, "set-header:a": b }]
        a fault that the vendor declares | faults: [{ where: identity.token, effect: mint, defect: expired, per: lane }]
        policies of each kind | policies: { retries: 3, burst: 500ms, liveperson.retry-schedule: "1s, 2s,4s", engagement-schedule: [1s, PT2S] }
        a policy of contracts of one's own | policies: { patience: "5" }
    """,
    "scenario": """
        nothing but its words |
        a reference to the schema | $schema: ../x.json
        no faults and no steps | sandbox: { faults: [] }, timeline: [], expect: []
        a step without arguments | timeline: [{ at: 0s, do: clearFaults }, { at: PT10M, do: clearFaults, with: {} }]
        a change that removes | STEP do: changeTenant, with: { vendor: identity, issuer: null, tokenLifetime: 30s }
        a device by its number | STEP do: renewDeviceToken, with: { device: 12345 }
        a fault by members | STEP do: armFault, with: { where: "*.Login.*", effect: status, code: 503, times: 2 }
        an act | STEP do: cxone.file, with: { consumer: ada, fileName: a.txt, mimeType: text/plain, content: SGk= }
        an act that needs nothing | STEP do: khoros.typing
        a part of the settings of channels | sandbox: { tenants: { cxone: { channelDefaults: { mode: null } } } }
        a flow of behaviours of one's own | expect: [{ rule: parrot.speaks, because: it must, flow: whistle, platform: perch, drawn: true }]
    """,
    "behaviour": """
        nothing but its vendor | = behaviour: parrot
        a reference to the schema | = { $schema: schemas/behaviour.schema.json, behaviour: parrot }
        calls by their places alone | never: { event: [liveperson.Login.*, "*.Pusher.*", "*.*"] }
        events of several kinds | never: { event: [liveperson.Login.*, { mark: [a, b] }, { happened: foreign-push }] }
        several schedules and policies | retry: { of: "*", schedule: [[1s, 2s], { policy: retry-schedule }], burst: { policy: burst } }
        what ends retries | retry: { of: "*", honours: retry-after, unless: [{ mark: closed, of: liveperson.Login.* }, liveperson.registerPush] }
        a policy and one more | stops: { after: "*", calls: "*", times: { policy: retries, plus: 1 } }
        close codes | reconnect: { of: liveperson.*, after: { socketEnds: liveperson.*, code: [1006, none], by: client } }
        the names of answers | once: { event: { calls: liveperson.publishText, answered: [ok, rate-limited], decided: event-published } }
        a value that is always the same | tells: { event: { mark: badge }, value: [mark:/value, "query:v"], from: [{ event: "*", is: "0" }] }
    """,
}
BROKEN = {
    "configuration": """
        no sandboxes | = {}
        an empty file | =
        a misspelt member at the top | = { sandboxs: [] }
        sandboxes by name | = { sandboxes: { default: { seed: 7 } } }
        a schema that is no text | = { $schema: 7, sandboxes: [] }
        no name | = { sandboxes: [{ seed: 7 }] }
        a name in capitals | = { sandboxes: [{ name: Default }] }
        a misspelt member | sed: 7
        a seed below zero | seed: -1
        a seed as text | seed: "7"
        a scenario without a name | scenario: " "
        a misspelt member of the clock | clock: { mod: frozen }
        a mode that no clock has | clock: { mode: stopped }
        a rate without its number | clock: { mode: rate }
        a rate of a frozen clock | clock: { mode: frozen, rate: 2 }
        a time without its zone | clock: { mode: frozen, now: "2026-01-31T12:00:00" }
        a time and an offset | clock: { mode: frozen, now: "2026-01-31T12:00:00Z", offset: 5m }
        an offset without its unit | clock: { mode: frozen, offset: "5" }
        no such vendor | tenants: { livepersn: { accountId: "1" } }
        a misspelt member of a tenant | tenants: { liveperson: { acountId: "1" } }
        an id that YAML takes for a number | tenants: { liveperson: { accountId: 12345678 } }
        an id that no URL can have | tenants: { asapp: { appId: a/b } }
        a brand that is no number | tenants: { cxone: { brandId: "0815" } }
        a lifetime without its unit | tenants: { talkdesk: { tokenLifetime: "60" } }
        a lifetime with a unit that there is not | tenants: { identity: { codeLifetime: 60sec } }
        a word that there is not | tenants: { identity: { pkce: always } }
        a text for yes | tenants: { asapp: { oneUserForEachDevice: "yes" } }
        a number beyond its range | tenants: { khoros: { historyPage: 1001 } }
        a redirect URI that is not absolute | tenants: { identity: { redirectURIs: [signed-in] } }
        an agent without their number | tenants: { cxone: { agents: [{ firstName: Ada }] } }
        a profile that there is not | AGENT profile: chief
        a part of an API key | AGENT apiKey: { appKey: a, secret: b }
        a script that there is not | AGENT script: parrot
        a first step without its event | AGENT script: [{ do: { act: join } }]
        an act that there is not | AGENT script: [{ on: opened, do: { act: sing } }]
        an act of another vendor | tenants: { talkdesk: { agents: [{ id: a, script: [{ on: text, do: { act: typing } }] }] } }
        an act without what belongs to it | AGENT script: [{ on: opened, do: { act: say } }]
        an act with what does not belong to it | AGENT script: [{ on: opened, do: { act: join, text: Hello } }]
        a proxy of an app without its URL | tenants: { liveperson: { push: { apps: [{ appId: a, pushType: FCM, proxy: {} }] } } }
        a header that the proxy may not have | tenants: { liveperson: { push: { proxy: { url: /p, headers: { X_Y: "1" } } } } }
        a webhook that there is not | tenants: { liveperson: { appInstallations: [{ clientId: a, clientSecret: b, capabilities: { webhooks: { ms.Event: { endpoint: /h } } } }] } }
        an app id without its team | tenants: { liveperson: { deepLinks: { webcredentials: [test.brand.app] } } }
        a form without fields | CHANNEL preContactForm: { name: Form }
        an action whose id is no UUID | CHANNEL proactiveActions: [{ bodyText: Hello, actionId: welcome-1 }]
        a field without its value that is handed over | CHANNEL proactiveActions: [{ bodyText: Hello, handover: [{ ident: a }] }]
        an agent with a number of 32 bits | tenants: { cxone: { agents: [{ id: 2147483648 }] } }
        no channel at all | tenants: { cxone: { channels: [] } }
        a wait without its unit | tenants: { asapp: { push: { waits: ["1", 2s] } } }
        a fault without an effect | faults: [liveperson.Login.*]
        a fault at no place | faults: ["*.* STALL"]
        a misspelt parameter of a fault | faults: ["liveperson.Login.* token-expired tims=2"]
        a parameter without a value | faults: ["liveperson.Login.* token-expired times"]
        a delay without its unit | faults: ["* delay by=2"]
        a misspelt effect in capitals | faults: ["* STAL"]
        a close code that may not be sent | faults: [{ where: "*", effect: close, code: 1006 }]
        a reason without a close code | faults: [{ where: "*", effect: close, reason: later }]
        a close code as a status | faults: [{ where: "*", effect: status, code: 1011 }]
        more bytes than an effect takes | faults: [{ where: "*", effect: RANDOM_DATA_THEN_CLOSE, bytes: 70000 }]
        a parameter of the vendor's effect for one of Sparring's | faults: [{ where: "*", effect: STALL, defect: expired }]
        a quotation mark too few | faults: ['* status code=503 body="Bad Gateway']
        a phase that there is not | faults: ["* delay by=2s phase=onEnd"]
        faults that are no list | faults: "* STALL"
        a fault of both forms | faults: [{ fault: "* STALL", where: "*", effect: STALL }]
        members without the effect | faults: [{ where: "*" }]
        a misspelt member of a fault | faults: [{ where: "*", effect: STALL, tims: 2 }]
        a status without its code | faults: [{ where: "*", effect: status }]
        a parameter of another effect | faults: [{ where: "*", effect: STALL, by: 2s }]
        two laws of a delay | faults: [{ where: "*", effect: delay, by: 2s, from: 1s, to: 3s }]
        two ways to wait | faults: [{ where: "*", effect: abort, after: 2s, after-frames: 3 }]
        policies as a list | policies: [retries]
        a policy that is true | policies: { retries: true }
        a policy of none | policies: { retries: 0 }
        a schedule without units | policies: { retry-schedule: [1, 2] }
    """,
    "scenario": """
        no name | = { title: X, about: Y }
        no title | = { scenario: x, about: Y }
        no words about it | = { scenario: x, title: X }
        blank words about it | = { scenario: x, title: X, about: " " }
        a name with a blank | = { scenario: my scenario, title: X, about: Y }
        a misspelt member | timline: []
        a TLS defect that there is not | tls: revoked
        a source that is a number | source: 7
        a sandbox with a name | sandbox: { name: default }
        a sandbox of another scenario | sandbox: { scenario: y }
        a sandbox as a list | sandbox: []
        a tenant that is nothing | sandbox: { tenants: { talkdesk: null } }
        a misspelt member of a tenant | sandbox: { tenants: { talkdesk: { tokenlifetime: 60s } } }
        a part of a key | sandbox: { tenants: { identity: { appKey: { secret: s } } } }
        a proxy without its URL | sandbox: { tenants: { liveperson: { push: { proxy: { timeout: 3s } } } } }
        a form without fields | sandbox: { tenants: { cxone: { channelDefaults: { preContactForm: { name: Form } } } } }
        a fault that is none | sandbox: { faults: [[STALL]] }
        a timeline by times | timeline: { 30s: clearFaults }
        a step without its time | timeline: [{ do: clearFaults }]
        a step without its doing | timeline: [{ at: 30s }]
        a time without its unit | timeline: [{ at: "30", do: clearFaults }]
        a time that is a number | timeline: [{ at: 30, do: clearFaults }]
        a misspelt member of a step | STEP do: clearFaults, wth: {}
        a doing that there is not | STEP do: advanceClock, with: { by: 1m }
        a doing that only reads | STEP do: liveperson.readConversation, with: { conversation: a }
        arguments of none | STEP do: clearFaults, with: { fault: 1 }
        arguments that are missing | STEP do: removeFault
        the number of a fault as text | STEP do: removeFault, with: { fault: "1" }
        the fault's number is 0 | STEP do: removeFault, with: { fault: 0 }
        no vendor | STEP do: changeTenant, with: { tokenLifetime: 30s }
        a member of another vendor | STEP do: changeTenant, with: { vendor: talkdesk, accountId: "1" }
        a clock without its mode | STEP do: setClock, with: { now: "2026-01-31T12:00:00Z" }
        a count as text in a step | STEP do: armFault, with: { where: "*", effect: STALL, times: "2" }
        a fault of neither form | STEP do: armFault, with: { effect: STALL }
        a push without a payload | STEP do: notifyDevice, with: { device: of:ada }
        a push without a text | STEP do: liveperson.push, with: { consumer: ada }
        a misspelt argument | STEP do: liveperson.push, with: { consumer: ada, txt: Hello }
        a reason that there is not | STEP do: asapp.signOut, with: { consumer: ada, reason: bored }
        a null for what an act leaves out | STEP do: liveperson.say, with: { consumer: ada, text: Hello, quickReplies: null }
        a member of another act | STEP do: asapp.join, with: { consumer: ada, text: Hello }
        a misspelt argument of a sign-out | STEP do: talkdesk.signOut, with: { consumer: ada, reson: revoked }
        a queue and an agent | STEP do: cxone.transfer, with: { consumer: ada, queue: a, agentTo: "1" }
        a file with its address and its content | STEP do: khoros.file, with: { fileName: a, mimeType: a/b, url: /a, content: SGk= }
        an expectation without a reason | expect: [{ rule: speaks }]
        an expectation without a rule | expect: [{ because: it must }]
        a rule of two vendors | expect: [{ rule: a.b.c, because: it must }]
        a misspelt member of an expectation | expect: [{ rule: speaks, becaus: it must }]
        a text for yes | expect: [{ rule: speaks, because: it must, drawn: "yes" }]
        an empty list of flows | expect: [{ rule: speaks, because: it must, flow: [] }]
    """,
    "behaviour": """
        no vendor | = { rules: [] }
        a misspelt member at the top | = { behaviour: parrot, rule: [] }
        rules by name | = { behaviour: parrot, rules: { speaks: {} } }
        an empty list of marks | = { behaviour: parrot, marks: [] }
        a platform without its name | = { behaviour: parrot, clients: { platforms: [{ known-by: "*" }] } }
        a kind of client that there is not | = { behaviour: parrot, clients: { birds: [] } }
        a policy without a value | = { behaviour: parrot, policies: [{ policy: a, says: A., source: nobody }] }
        a policy that both is and counts | = { behaviour: parrot, policies: [{ policy: a, says: A., source: nobody, value: 3, counts: b }] }
        a policy without a unit | = { behaviour: parrot, policies: [{ policy: a, says: A., source: nobody, value: "30" }] }
        something unobservable without a reason | = { behaviour: parrot, unobservable: [{ says: A., source: nobody }] }
        a source by http | = { behaviour: parrot, sources: [{ source: a, says: A., url: "http://a.example" }] }
        a rule without its words | = { behaviour: parrot, rules: [{ rule: a, source: nobody, never: { event: "*" } }] }
        a rule whose name is in capitals | = { behaviour: parrot, rules: [{ rule: A, says: A., source: nobody, never: { event: "*" } }] }
        a rule of no kind | fidelity: verified
        a rule of two kinds | never: { event: "*" }, once: { event: "*" }
        a kind that there is not | always: { event: "*" }
        a fidelity that there is not | fidelity: sure, never: { event: "*" }
        advice as a text | advice: "yes", never: { event: "*" }
        a misspelt member of a rule's kind | never: { event: "*", untl: { mark: a } }
        never what | never: { of: "*" }
        a place that is none | never: { event: liveperson.Login.signUp }
        a selector of two kinds | never: { event: { calls: "*", mark: a } }
        a selector of no kind | never: { event: { answered: ok } }
        a misspelt member of a selector | never: { event: { calls: "*", answerd: ok } }
        an outcome that marks have not | never: { event: { mark: a, answered: token-expired } }
        an answer in capitals | never: { event: { calls: "*", answered: OK } }
        a happening that there is not | never: { event: { happened: rain } }
        a close code that there cannot be | never: { event: { socketEnds: "*", code: 70000 } }
        a close code as text | never: { event: { socketEnds: "*", code: "1006" } }
        a value at no place | never: { event: { calls: "*", with: { pushType: FCM } } }
        a pointer without its slash | noReuse: { of: "*", credential: body:code }
        a number for a text | never: { event: { calls: "*", with: { body:/a: 1 } } }
        a retry without a schedule | retry: { of: "*" }
        a delay without its unit | retry: { of: "*", schedule: ["1", "2"] }
        a delay of nothing | retry: { of: "*", schedule: [0s] }
        a class of failures that there is not | retry: { of: "*", schedule: [1s], after: failed }
        a tolerance of all | retry: { of: "*", schedule: [1s], tolerance: 1 }
        nothing to retry | retry: { schedule: [1s] }
        more than a thousand times | stops: { after: "*", calls: "*", times: 1001 }
        a misspelt reference to a policy | stops: { after: "*", calls: "*", times: { polcy: retries } }
        a pause without its unit | stops: { after: "*", calls: "*", pause: 60 }
        a scope that there is not | once: { event: "*", per: account }
        no time within which | within: { after: "*", comes: "*" }
        a half of what is covered | within: { after: "*", comes: "*", within: 1s, covers: { asks: body:/a } }
        a scope where there is none | cleanLogout: { begins: "*", ends: "*", per: lane }
        a credential that stands nowhere | reconnect: { of: "*", after: "*", credential: same }
        a value that both stands somewhere and is always the same | tells: { event: { mark: a }, value: mark:/a, from: [{ event: "*", value: body:/a, is: "0" }] }
        a value from nowhere | tells: { event: { mark: a }, value: mark:/a, from: [] }
        a rate without its time | rate: { event: "*", most: 3 }
        sockets of which nothing is said | sockets: { of: "*" }
    """,
}


def files(name, table):
    """Each file of a table with what it is."""
    for line in table.strip().splitlines():
        what, _, body = (part.strip() for part in line.partition("|"))
        for word, wrapping in {"AGENT": AGENT, "CHANNEL": CHANNEL, "ISSUER": ISSUER, "STEP": STEP}.items():
            if body.startswith(word + " "):
                body = wrapping.replace("%", body.removeprefix(word + " "))
        yield what, body.removeprefix("=") if body.startswith("=") else WRAPPINGS[name].replace("%", body)


def check_table():
    for name, table in SOUND.items():
        for what, body in files(name, table):
            expect_sound(name, f"sound {name}, {what}", read(body))
            count("odd files accepted")
    for name, table in BROKEN.items():
        for what, body in files(name, table):
            if objection(name, read(body)) is None:
                problems.append(f"broken {name}, {what}: {name}.schema.json accepts it")
            count("broken files refused")


for schema_name in SCHEMAS:
    check_schema(schema_name)
check_sources()
check_files()
check_table()
if problems:
    print("\n".join(problems))
    sys.exit(1)
print("schemas: " + ", ".join(f"{number} {what}" for what, number in counts.items()))
