import SparringJSON
package import SparringVerdict

/// The columns of a list of scenarios.
extension Scenario {
    /// The vendors that it is about: those of its faults, later events, tenants and expected rules.
    ///
    /// - Parameter rules: by which the vendors are known of rules that are named without theirs.
    package func vendors(_ rules: [Rule]) -> [String] {
        let faults = faultTexts.compactMap(Self.vendor)
        let steps = (json["timeline"]?.array ?? []).compactMap { $0["do"]?.string.flatMap(Self.vendor) }
        let expected = expectations.flatMap { expectation in
            Self.vendor(expectation.rule).map { [$0] } ?? rules.filter { $0.name == expectation.rule }.map(\.vendor)
        }
        let tenants = json["sandbox"]?["tenants"]?.object?.keys.map(\.self) ?? []
        return Set(faults + steps + expected + tenants).sorted()
    }

    /// How much of the sandbox's clock goes by until all of it has happened: its last event, the end of the last span in which a fault is in force, and of the longest
    /// lifetime that it gives to a token or the like. Nil where nothing depends on it.
    package var lasts: Duration? {
        let steps = (json["timeline"]?.array ?? []).compactMap { $0["at"]?.string.flatMap { Duration(text: $0) } }
        let spans = faultTexts.compactMap { text in
            text.firstMatch(of: /\bbetween=[^ .]+\.\.([^ ]+)/).flatMap { Duration(text: String($0.1)) }
        }
        // With a device's clock that is wrong, a token need not be old to be taken for expired.
        let lifetimes = json["sandbox"]?["clock"] == nil ? Self.lifetimes(json["sandbox"]?["tenants"] ?? [:]) : []
        return (steps + spans + lifetimes).max()
    }

    /// The consumers whom its later events name: the client must sign in as one called so. An event that names none is for the only one who has signed in.
    package var consumers: [String] {
        var names: [String] = []
        for step in json["timeline"]?.array ?? [] {
            let owner = step["with"]?["device"]?.string.flatMap { $0.hasPrefix("of:") ? String($0.dropFirst("of:".count)) : nil }
            for name in [step["with"]?["consumer"]?.string, owner].compactMap(\.self) where name != "*" && !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// The settings that are called so, at any depth.
    private static func lifetimes(_ settings: JSON) -> [Duration] {
        (settings.object ?? [:]).flatMap { name, value in
            name.lowercased().hasSuffix("lifetime") ? [value.string.flatMap { Duration(text: $0) }].compactMap(\.self) : lifetimes(value)
        }
    }

    private var faultTexts: [String] { json["sandbox"]?["faults"]?.array?.compactMap(\.string) ?? [] }

    /// The word before the first full stop.
    private static func vendor(_ text: String) -> String? {
        let word = text.prefix { $0.isLetter }
        return !word.isEmpty && text.dropFirst(word.count).first == "." ? String(word) : nil
    }
}
