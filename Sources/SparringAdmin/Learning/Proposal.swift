package import SparringJSON

/// A correction that recordings and probes speak for.
package struct Proposal: Sendable {
    /// The thing that it corrects.
    package enum Kind: String, Sendable, CaseIterable {
        /// The contract: it allows more.
        case contract
        /// Sparring: what it sends in place of what its code makes (`x-rewrite`).
        case sparring
        /// A setting of the vendor's account, such as a lifetime.
        case setting
    }

    /// A value of the vendor's configuration.
    package struct Setting: Sendable {
        package let vendor: String
        package let place: JSONPointer
        package let value: JSON
    }

    package let kind: Kind
    /// `vendor.operation`, of a call or of a message; of a setting `vendor.setting`.
    package let operation: String
    /// In words.
    package let words: String
    /// The name of the contract's file that the actions change.
    package let document: String
    /// Actions of an Overlay 1.1; none for a setting.
    package let actions: [JSON]
    package let setting: Setting?
    package internal(set) var observed: Observed

    /// - Parameter document: the contract's file; its folder does not count.
    init(_ kind: Kind, _ operation: String, _ words: String, in document: String, _ actions: [JSON], _ observed: Observed) {
        (self.kind, self.operation, self.words, self.actions) = (kind, operation, words, actions)
        self.document = document.split(separator: "/").last.map(String.init) ?? document
        (setting, self.observed) = (nil, observed)
    }

    init(_ setting: Setting, _ words: String, _ observed: Observed) {
        (kind, operation) = (.setting, "\(setting.vendor)\(setting.place.tokens.map { "." + $0 }.joined())")
        (self.words, document, actions, self.setting, self.observed) = (words, "", [], setting, observed)
    }

    /// The same for two that would change the same thing in the same way.
    var key: String { setting.map { "\($0.vendor)\($0.place)=\($0.value.text)" } ?? "\(document) \(JSON.array(actions).text)" }

    /// Its actions, with how often what they allow was seen.
    var observedActions: [JSON] {
        actions.map { action in
            var action = action
            action["description"] = .string("\(operation): \(words)")
            action["x-observed"] = observed.json
            return action
        }
    }
}

extension Proposal {
    var json: JSON {
        .members([
            "kind": .string(kind.rawValue), "operation": .string(operation), "words": .string(words),
            "document": document.isEmpty ? nil : .string(document), "actions": actions.isEmpty ? nil : .array(actions),
            "setting": setting.map {
                ["vendor": .string($0.vendor), "place": .string($0.place.description), "value": $0.value]
            },
            "observed": observed.json,
        ])
    }

    /// - Parameter json: ``json``; nil for anything else.
    init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let words = json["words"]?.string,
            let observed = Observed(json["observed"])
        else { return nil }
        if kind == .setting {
            guard let vendor = json["setting"]?["vendor"]?.string, let value = json["setting"]?["value"],
                let place = json["setting"]?["place"]?.string.flatMap({ JSONPointer($0) })
            else { return nil }
            self.init(Setting(vendor: vendor, place: place, value: value), words, observed)
        } else {
            guard let operation = json["operation"]?.string, let document = json["document"]?.string, let actions = json["actions"]?.array,
                !actions.isEmpty
            else { return nil }
            self.init(kind, operation, words, in: document, actions, observed)
        }
    }
}
