import SparringContract
import Testing

struct ContractErrorTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        var error: String
        var testDescription: String { error }

        init(_ old: String, _ new: String, _ error: String) {
            self.old = old
            self.new = new
            self.error = error
        }
    }

    @Test(arguments: document + operations + messages + schemas + examples)
    func `What is wrong in a contract is refused where it stands`(change: Change) {
        let text = Sample.replacing(change.old, with: change.new)
        let error = #expect(throws: ContractError.self) { try Sample.contract(text) }
        #expect(error?.description == "\(Sample.file):\(change.error)")
    }

    private static let noHost = "is not a host name; one part of it may vary, as in '{region}.example.com'"
    private static let noPrefix = "is not the beginning of a vendor's path, in whole segments without parameters, such as /v2/"

    static let document = [
        Change(
            "openapi: 3.1.0\n", "openapi: 3.1.0\n{\n", "3:1: not YAML: could not find expected ':' (while scanning a simple key at line 2)"),
        Change("info:", "inof:", "2:1: unknown key 'inof' in the document (did you mean 'info'?)"),
        Change("openapi: 3.1.0", "openapi: 3.0.3", "1:10: only OpenAPI 3.1 is supported"),
        Change("version: '7'", "version: 7", "4:12: must be a string: write it in quotes"),
        Change("  version: '7'\n", "", "3:3: info needs 'version'"),
        Change("  title: Sample", "  title: Sample\n  title: Again", "3:3: key 'title' is written again below"),
        Change("  title: Sample", "  title: !!str Sample", "3:10: tag 'tag:yaml.org,2002:str' is not supported"),
        Change("  title: Sample", "  [a]: b", "3:3: a key must be a plain word"),
        Change("  title: Sample", "  x-a: &a [b]\n  *a : b", "4:3: a key must be a plain word"),
        Change("  title: Sample", "  x-a: [{ {a: b}: \"*\" }]", "3:11: a key must be a plain word"),
        Change("sample.example", "sample.example/v1", "6:10: a server's url has no path: write it in the paths"),
        Change("- url: https", "- uri: https", "6:5: unknown key 'uri' in a server (did you mean 'url'?)"),
        Change("- name: Upload", "- name: upload", "9:11: tag 'upload' does not match [A-Z][A-Za-z0-9]*"),
        Change("- name: Upload", "- name: Login", "9:11: tag 'Login' is declared twice"),
        Change(
            "x-unknown-tenant: account-unknown", "x-unknown-tenant: nobody",
            "17: operation 'logIn' has x-tenant but no answer 'nobody' (x-unknown-tenant)"),
        Change("x-unknown-tenant: account-unknown", "x-unknown-tenant: A", "10:19: x-unknown-tenant 'A' does not match [a-z][a-z0-9-]*"),
        Change(
            "x-malformed: malformed", "x-malformed: malfromed",
            "11:14: no operation declares the answer 'malfromed' (x-malformed) (did you mean 'malformed'?)"),
        Change("paths:\n", "x-aliases: [/w/]\npaths:\n", "12:12: must be a mapping"),
        Change("paths:\n", "x-vendor-hosts: [a.example]\npaths:\n", "12:18: a vendor's host must be a mapping"),
        Change(
            "paths:\n", "x-vendor-hosts:\n  - { hots: a.example }\npaths:\n",
            "13:7: unknown key 'hots' in a vendor's host (did you mean 'host'?)"),
        Change("paths:\n", "x-vendor-hosts:\n  - { host: '*.example' }\npaths:\n", "13:13: '*.example' \(noHost)"),
        Change("paths:\n", "x-vendor-hosts:\n  - { host: a b }\npaths:\n", "13:13: 'a b' \(noHost)"),
        Change(
            "paths:\n", "x-vendor-hosts:\n  - { host: a.b, x-fidelity: sure }\npaths:\n",
            "13:30: x-fidelity 'sure' is not one of verified, inferred, assumed"),
        Change("paths:\n", "x-aliases:\n  /v9/: [/w/]\npaths:\n", "13:3: no path begins with '/v9/' (x-aliases)"),
        Change("paths:\n", "x-aliases:\n  /account/: []\npaths:\n", "13:3: '/account/' has no alias"),
        Change("paths:\n", "x-aliases:\n  account/: [/w/]\npaths:\n", "13:3: 'account/' \(noPrefix)"),
        Change("paths:\n", "x-aliases:\n  /account/: [/w]\npaths:\n", "13:15: '/w' \(noPrefix)"),
        Change("paths:\n", "x-aliases:\n  /account/: ['/{w}/']\npaths:\n", "13:15: '/{w}/' \(noPrefix)"),
        Change("paths:\n", "x-aliases:\n  /account/: [/__admin/]\npaths:\n", "13:15: '/__admin/' \(noPrefix)"),
        Change("paths:\n", "x-aliases:\n  /account/: [/w/, /w/]\npaths:\n", "13:20: '/w/' is there already"),
        Change("paths:\n", "x-aliases:\n  /account/: [/account/]\npaths:\n", "13:15: '/account/' is there already"),
        Change("  schemas:\n", "  schema:\n", "88:3: unknown key 'schema' in components (did you mean 'schemas'?)"),
        Change("    Login:\n", "    Log in:\n", "89:5: component 'Log in' does not match [A-Za-z0-9._-]+"),
        Change(
            "      value: { title: Malformed }", "      valeu: { title: Malformed }",
            "107:7: unknown key 'valeu' in an example (did you mean 'value'?)"),
    ]

    static let operations = [
        Change(
            "/account/{accountId}/login#v1", "account/{accountId}/login", "13:3: path 'account/{accountId}/login' does not begin with '/'"),
        Change("{accountId}/login", "{accountId/login", "13:3: path '/account/{accountId/login#v1' has a '{' without '}'"),
        Change(
            "{accountId}/login", "{accountId}{x}/login",
            "13:3: path '/account/{accountId}{x}/login#v1' has two parameters in segment '{accountId}{x}'"),
        Change(
            "{accountId}/login", "{accountId}/{accountId}",
            "13:3: path '/account/{accountId}/{accountId}#v1' names parameter 'accountId' twice"),
        Change(
            "{accountId}/login", "{accountId}/log?in", "13:3: path '/account/{accountId}/log?in#v1' has '?', which is not allowed in a path"
        ),
        Change("{accountId}/login", "{accountId}/{form}", "13:3: path parameter 'form' is not declared"),
        Change("{accountId}/login", "login", "15:9: path parameter 'accountId' is not in the path"),
        Change("    post:", "    pots:", "16:5: unknown key 'pots' in a path (did you mean 'post'?)"),
        Change("operationId: logIn", "operationId: LogIn", "17:20: operationId 'LogIn' does not match [a-z][A-Za-z0-9]*"),
        Change("operationId: readFile", "operationId: logIn", "67: operationId 'logIn' is already taken at line 17"),
        Change("      operationId: logIn\n", "", "17:7: an operation needs 'operationId'"),
        Change("      summary: Log in", "      sumary: Log in", "18:7: unknown key 'sumary' in an operation (did you mean 'summary'?)"),
        Change("tags: [Login]", "tags: [Logni]", "19:14: tag 'Logni' is not declared under the document's tags (did you mean 'Login'?)"),
        Change("tags: [Login]", "tags: [Login, Upload]", "19:13: an operation has exactly one tag"),
        Change(
            "x-tenant: $request.path.accountId", "x-tenant: { value: $request.header.Authorization, issued: true }",
            "22:17: x-tenant cannot be read from an issued credential: it names a person, not a tenant"),
        Change("x-fidelity: verified", "x-fidelity: sure", "20:19: x-fidelity 'sure' is not one of verified, inferred, assumed"),
        Change(
            "x-outcome: refused", "summary: what now?",
            "104:13: answer 'malformed' needs an x-outcome, on its response or its example: the meaning of 400 varies"),
        Change(
            "x-outcome: refused", "x-outcome: sad",
            "108:18: x-outcome 'sad' is not one of ok, refused, authentication, unavailable, upstream"),
        Change(
            "value: { code: abc, level: loa1 }", "{ value: { code: abc }, x-outcome: ok }",
            "42:15: x-outcome is for an answer, and this is a request"),
        Change("      x-source: nothing\n", "", "67:7: an operation needs 'x-source'"),
        Change(
            "$request.path.accountId", "$request.path.acountId",
            "22:17: '$request.path.acountId' is not a declared path parameter (did you mean 'accountId'?)"),
        Change(
            "$request.path.accountId", "$request.cookie.a",
            "22:17: '$request.cookie.a' is not one of $request.path.NAME, $request.query.NAME, $request.header.NAME, $request.body#/POINTER"
        ),
        Change("$request.body#/code", "$request.body", "25:20: '$request.body' has no JSON Pointer: $request.body#/like/this"),
        Change("issued: true", "issued: false", "25:49: issued can only be true"),
        Change("issued: true", "basicUser: false", "25:52: basicUser can only be true"),
        Change("claim: sub }", "claim: sub, issued: true }", "24:11: a value source has either 'claim', 'issued' or 'basicUser'"),
        Change("x-query: { v: '1' }", "x-open-query: always", "26:21: must be true or false"),
        Change("x-query: { v: '1' }", "x-query: { v: 1 }", "26:21: must be a string: write it in quotes"),
        Change("x-jsonp: cb", "x-jsonp: bc", "71:16: x-jsonp names 'bc', which is not a declared query parameter (did you mean 'cb'?)"),
        Change("x-jsonp: cb", "x-tenant: $request.body#/a", "71:17: '$request.body#/a' but the operation has no requestBody"),
    ]

    static let messages = [
        Change("in: query\n", "in: cookie\n", "29:15: a parameter is in path, query or header, not in 'cookie'"),
        Change("- name: count", "- nmae: count", "28:11: unknown key 'nmae' in a parameter (did you mean 'name'?)"),
        Change("          example: Bearer a.b.c\n", "", "31:11: required parameter 'Authorization' needs 'example'"),
        Change(
            "- name: Authorization", "- name: 'Autho rization'",
            "31:17: header 'Autho rization' does not match an HTTP field name (RFC 9110 §5.1)"),
        Change("name: cb, in: query", "name: name, in: path", "75:11: path parameter 'name' is declared twice"),
        Change(
            "      in: path\n      required: true", "      in: path\n      required: false",
            "83:7: path parameter 'accountId' needs 'required: true'"),
        Change(
            "parameters/AccountId'", "parameters/AccountID'",
            "15:15: $ref '#/components/parameters/AccountID' leads nowhere (did you mean 'AccountId'?)"),
        Change(
            "#/components/parameters/AccountId", "#/components/schemas/Login",
            "15:15: $ref '#/components/schemas/Login' must begin with #/components/parameters/"),
        Change("application/json:\n            schema: { $ref", "json:\n            schema: { $ref", "39:11: 'json' is not a media type"),
        Change(
            "            examples:\n              by-code:\n                value: { code: abc, level: loa1 }\n", "",
            "37:9: a requestBody needs an example"),
        Change(
            "            examples:\n              by-code",
            "            example: { code: x }\n            examples:\n              by-code",
            "41:22: 'example' and 'examples' cannot be used together"),
        Change("'200':", "default:", "45:9: status 'default' does not match [1-5][0-9][0-9]"),
        Change("'200':", "2XX:", "45:9: status '2XX' does not match [1-5][0-9][0-9]"),
        Change("          description: Welcome.\n", "", "46:11: a response needs 'description'"),
        Change(
            "            application/json:\n              schema:\n", "            application/jason:\n              schema:\n",
            "53:13: unknown media type 'application/jason' (did you mean 'application/json'?)"),
        Change("logged-in:", "loggedIn:", "59:17: answer 'loggedIn' does not match [a-z][a-z0-9-]*"),
        Change("x-name: account-unknown", "x-name: logged-in", "64:19: the operation already has an answer 'logged-in'"),
        Change("          x-name: account-unknown\n", "", "63:11: a response needs 'x-name'"),
        Change(
            "          description: Welcome.", "          description: Welcome.\n          x-name: hello",
            "47:19: x-name is for a response without content; with content each example names an answer"),
        Change(
            "            X-Request-Id:", "            X Request-Id:",
            "48:13: header 'X Request-Id' does not match an HTTP field name (RFC 9110 §5.1)"),
        Change(
            "          examples:\n            malformed: { $ref: '#/components/examples/Problem' }", "          examples: {}",
            "102:9: content without an example declares no answer"),
        Change(
            "Problem:\n      value: { title: Malformed }\n      x-outcome: refused", "Problem: { $ref: '#/components/examples/Problem' }",
            "106:16: $ref '#/components/examples/Problem' leads back to itself"),
    ]

    static let schemas = [
        Change("type: integer, minimum: 1", "type: integr, minimum: 1", "30:27: unknown type 'integr' (did you mean 'integer'?)"),
        Change(
            "type: integer, minimum: 1", "type: integer, minmum: 1", "30:36: unknown key 'minmum' in a schema (did you mean 'minimum'?)"),
        Change(
            "type: integer, minimum: 1", "type: integer, nullable: true",
            "30:36: the keyword 'nullable' is not supported: it is OpenAPI 3.0's: write 'null' among the types"),
        Change(
            "type: integer, minimum: 1", "$id: count.json",
            "30:21: the keyword '$id' is not supported: name a schema by its place, such as $ref: '#/components/schemas/NAME'"),
        Change(
            "type: integer, minimum: 1", "$schema: 'http://json-schema.org/draft-07/schema#'",
            "30:30: the dialect 'http://json-schema.org/draft-07/schema#' is not supported: there is https://json-schema.org/draft/2020-12/schema"
        ),
        Change(
            "type: integer, minimum: 1", "$ref: 'count.yaml#/Count'", "30:27: $ref 'count.yaml#/Count' leads out of this file"),
        Change(
            "type: integer, minimum: 1", "$ref: '#Count'",
            "30:27: $ref '#Count' is not a JSON Pointer, such as #/components/schemas/NAME"),
        Change("type: integer, minimum: 1", "type: integer, minimum: one", "30:45: must be a number"),
        Change("type: integer, minimum: 1", "type: integer, multipleOf: 0", "30:48: multipleOf must be greater than 0"),
        Change("minLength: 3", "minLength: -3", "50:50: must be a whole number, 0 or more"),
        Change("type: string, minLength: 3", "type: string, format: colour", "50:47: unknown format 'colour'"),
        Change(
            "'^[0-9]+$'", "'^[0-9+$'",
            "86:40: '^[0-9+$' is not a supported regular expression: '[' at character 2: the class has no ']'"),
        Change(
            "'^[0-9]+$'", "'(?i)a'",
            "86:40: '(?i)a' is not a supported regular expression: '(?i' at character 1: a schema's expression has no flags"),
        Change(
            "'^[0-9]+$'", "'^(?=.*[0-9])'",
            "86:40: '^(?=.*[0-9])' is not a supported regular expression: '(?=' at character 2: "
                + "look-ahead cannot be matched in linear time"),
        Change("enum: [loa0, loa1]", "enum: []", "95:24: enum must be a list of values"),
        Change("{ enum: [loa0, loa1] }", "{ anyOf: [] }", "95:25: must not be empty"),
        Change("{ enum: [loa0, loa1] }", "maybe", "95:16: a schema must be a mapping, true or false"),
        Change("required: [code]", "required: code", "92:17: must be a list"),
        Change("additionalProperties: false", "additionalProperties: flase", "91:29: a schema must be a mapping, true or false"),
        Change(
            "schemas/Login' }\n  responses", "schemas/Logout' }\n  responses", "97:23: $ref '#/components/schemas/Logout' leads nowhere"),
        Change(
            "      type: object\n      additionalProperties: false\n", "      allOf: [{ $ref: '#/components/schemas/Login' }]\n",
            "90:7: the schema refers to itself without end"),
    ]

    static let examples = [
        Change("level: loa1", "level: loa2", "43:44: example 'by-code' of the request at level: 'loa2' is not one of 'loa0', 'loa1'"),
        Change(
            "{ code: abc, level: loa1 }", "{ cod: abc }",
            "43:24: example 'by-code' of the request at code: required member 'code' is missing ('cod' was sent)"),
        Change(
            "{ code: abc, level: loa1 }", "{ code: abc, nxt: {} }",
            "43:42: example 'by-code' of the request at nxt: unknown member 'nxt' (did you mean 'next'?)"),
        Change(
            "{ code: abc, level: loa1 }", "{ code: a, next: { code: 5 } }",
            "43:49: example 'by-code' of the request at next.code: expected string, found integer"),
        Change("expires: 60", "expires: soon", "60:47: example 'logged-in' at expires: expected integer, found string"),
        Change("expires: 60", "expires: 060", "60:47: 060 begins with 0: write it in quotes if it is an id"),
        Change("expires: 60", "expires: .inf", "60:47: .inf has no form in JSON"),
        Change("example: '4711'", "example: abc", "87:16: example of parameter 'accountId': 'abc' does not match ^[0-9]+$"),
        Change("example: r-17", "example: r", "51:24: example of header 'X-Request-Id': 'r' is shorter than 3 characters"),
    ]

    @Test(arguments: [
        ("", "x.yaml: the file is empty"),
        ("a: [", "x.yaml:2:1: not YAML: did not find expected node content (while parsing a flow node at line 2)"),
        ("- a", "x.yaml:1:1: the document must be a mapping"),
        ("a: b\n---\nc: d", "x.yaml:2:1: not YAML: but found another document (expected a single document in the stream at line 1)"),
        ("a:\n  b: 1\n\tc: 2", "x.yaml:3: not YAML: a tab in the indentation, where only spaces are allowed"),
        ("a: \u{1}", "x.yaml:1:4: not YAML: control characters are not allowed"), ("a: *b", "x.yaml:1:4: not YAML: found undefined alias"),
    ])
    func `What is no document is refused`(text: String, description: String) {
        let error = #expect(throws: ContractError.self) { try Contract(parsing: text, file: "x.yaml", vendor: "x") }
        #expect(error?.description == description)
    }
}
