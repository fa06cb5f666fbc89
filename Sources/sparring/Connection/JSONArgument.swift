import ArgumentParser
import SparringJSON

/// JSON on the command line.
enum JSONArgument {
    /// A whole argument that must be an object.
    static func object(_ text: String) throws -> JSON {
        let json: JSON
        do { json = try JSON(parsing: text) } catch { throw ValidationError("\(error)") }
        guard json.object != nil else { throw ValidationError("expected an object, not \(json.typeName)") }
        return json
    }

    /// `name={…}`
    static func namedObject(_ text: String) throws -> (name: String, value: JSON) {
        let (name, value) = try split(text)
        return (name, try object(value))
    }

    /// `name=JSON`; what does not look like JSON is taken as a string, so that `given_name=Ada` needs no inner quotes.
    static func namedValue(_ text: String) throws -> (name: String, value: JSON) {
        let (name, value) = try split(text)
        do {
            return (name, try JSON(parsing: value))
        } catch {
            // What begins so is a value of a stub: `{$sandbox.uuid}`.
            if let first = value.first, "{[\"".contains(first), !value.hasPrefix("{$") { throw ValidationError("\(error)") }
            return (name, .string(value))
        }
    }

    /// - Throws: where something is given twice.
    static func requireOnce(_ given: [(name: String, value: JSON)], _ option: String) throws {
        var names: Set<String> = []
        for (name, _) in given where !names.insert(name).inserted {
            throw ValidationError("\(option) is given twice for '\(name)': give it once, with all its members")
        }
    }

    /// An object of what was given by name, the last value of each; nil where nothing was.
    static func members(_ given: [(name: String, value: JSON)]) -> JSON? {
        given.isEmpty ? nil : .object(given.reduce(into: [:]) { $0[$1.name] = $1.value })
    }

    private static func split(_ text: String) throws -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { throw ValidationError("it must be name=JSON") }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
}

/// `--set`, for what has members that a command has no option for.
struct MembersOption: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A further member; may be given several times. A value that is not JSON is a string.", valueName: "name=JSON"),
        transform: JSONArgument.namedValue)
    var members: [(name: String, value: JSON)] = []
}
