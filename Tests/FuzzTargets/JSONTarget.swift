import SparringJSON

enum JSONTarget {
    /// JSON keeps its value and its text when it is written and read again; the scanner, which does not read all, finds the same members.
    static func run(_ bytes: [UInt8]) throws {
        _ = try? JSON(parsing: bytes, depthLimit: 3)
        scan(JSONScanner(bytes))
        guard let value = try? JSON(parsing: bytes) else { return }
        let written = value.bytes
        guard let again = try? JSON(parsing: written) else { throw FuzzFailure("what was written cannot be read: \(value.text)") }
        guard again == value, again.bytes == written else { throw FuzzFailure("it reads as another: \(value.text), \(again.text)") }
        guard value.hashValue == again.hashValue else { throw FuzzFailure("equal values have two hashes: \(value.text)") }
        guard let pretty = try? JSON(parsing: value.prettyText), pretty == value else {
            throw FuzzFailure("its pretty text reads as another: \(value.prettyText)")
        }
        _ = (value.integer, value.double, value.string, value.typeName, value.description)
        try compare(value, JSONScanner(written))
        for (name, member) in value.object ?? [:] {
            let pointer = JSONPointer(tokens: [name])
            guard JSONPointer(pointer.description) == pointer, value[pointer] == member else { throw FuzzFailure("no way to \(pointer)") }
        }
    }

    /// A scanner finds nothing in a value that is not an object; nothing else may happen either.
    private static func scan(_ scanner: JSONScanner) {
        _ = (scanner.json, scanner.json("a"), scanner.string("a"), scanner.integer("a"), scanner.has(""), scanner.has("body"))
        _ = (scanner.object("a")?.json("b"), scanner.object("body")?.object("event")?.string("type"))
    }

    private static func compare(_ value: JSON, _ scanner: JSONScanner) throws {
        guard value.object != nil else { return }
        func expect(_ name: StaticString, _ found: JSON?) throws {
            guard scanner.json(name) == found, scanner.has(name) == (found != nil), scanner.string(name) == found?.string else {
                throw FuzzFailure("the scanner finds \(scanner.json(name)?.text ?? "nothing") at '\(name)' of \(value.text)")
            }
            if case .integer(let number) = found, scanner.integer(name) != number {
                throw FuzzFailure("the scanner reads \(String(describing: scanner.integer(name))) at '\(name)' of \(value.text)")
            }
        }
        guard scanner.json == value else { throw FuzzFailure("the scanner reads another value of \(value.text)") }
        try expect("a", value["a"])
        try expect("b", value["b"])
        try expect("id", value["id"])
        try expect("body", value["body"])
        guard scanner.object("a")?.json("a") == value["a"]?["a"] else {
            throw FuzzFailure("the scanner finds no member of 'a' of \(value.text)")
        }
    }
}
