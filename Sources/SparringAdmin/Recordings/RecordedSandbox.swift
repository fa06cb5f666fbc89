package import SparringJSON
package import SparringJournal
import SparringSandbox

/// The sandbox of a recording that Sparring made itself, in `log._sparring` of the archive: a replay begins with the same one.
package struct RecordedSandbox: Sendable {
    /// A change that was asked for over the admin API, such as what an agent said.
    package struct Act: Sendable {
        package var time: Timestamp
        /// The number of its entry in the journal.
        package var entry: Int
        /// `admin.operationId`, or that of a vendor's; nil: it cannot be asked for again.
        package var operation: String?
        package var arguments: JSON.Object
        /// In words.
        package var cause: String
        /// The call that asked for it; nil: it is asked for by the name of an operation.
        var call: Archive.Call?
        /// The number of the entry that opened the socket that it is about: sockets have other numbers in a replay.
        package var opened: Int?
        /// Nobody did it, but the fresh sandbox needs it.
        var supply: ProbeSupply?

        /// An act that is asked for by a call of the admin API, whose answer says which values stand for which.
        init(time: Timestamp, entry: Int, _ call: Archive.Call, cause: String) {
            (self.time, self.entry, self.call, self.cause) = (time, entry, call, cause)
            arguments = [:]
        }

        init(time: Timestamp, entry: Int, _ supply: ProbeSupply) {
            (self.time, self.entry, self.supply) = (time, entry, supply)
            (arguments, cause) = ([:], "a credential from elsewhere")
        }

        package init(time: Timestamp, entry: Int, operation: String?, arguments: JSON.Object, cause: String) {
            (self.time, self.entry, self.operation, self.arguments, self.cause) = (time, entry, operation, arguments, cause)
        }

        package static let endSocket = "\(AdminAPI.name).\(AdminOperation.endSocket.rawValue)"
    }

    /// A credential of the sandbox's own that the recording has a placeholder for.
    package struct Secret: Sendable {
        package var placeholder: String
        package var vendor: String
        /// In the vendor's configuration.
        package var place: JSONPointer
    }

    package var id: String
    package var seed: Int64
    /// When its first entry was written.
    package var begun: Timestamp
    /// ``Sandbox/creation``
    package var creation: JSON
    /// The ids of its tenants, by vendor: those that its seed gives may have been taken by another sandbox of the server.
    package var ids: [String: String] = [:]
    package var acts: [Act] = []
    /// It is no sandbox of Sparring's: what it took, another does not take.
    package var isOfVendor = false
    package var secrets: [Secret] = []

    /// One that a vendor's account stands for.
    init(id: String, tenants: JSON.Object, begun: Timestamp) {
        (self.id, self.begun) = (id, begun)
        seed = 1
        creation = ["given": ["tenants": .object(tenants)]]
        isOfVendor = true
    }

    /// - Parameter sandbox: as `GET /__admin/sandboxes/{sandbox}?made=true` shows it.
    package init?(_ sandbox: JSON, begun: Timestamp) {
        guard let id = sandbox["id"]?.string, let seed = sandbox["seed"]?.integer, let creation = sandbox["made"]?["creation"] else {
            return nil
        }
        (self.id, self.seed, self.begun, self.creation) = (id, seed, begun, creation)
        ids = Self.ids(sandbox["made"]?["ids"])
    }

    private static func ids(_ json: JSON?) -> [String: String] {
        (json?.object ?? [:]).reduce(into: [:]) { $0[$1.key] = $1.value.string }
    }

    /// Notes which placeholders stand for a sandbox's own credentials.
    ///
    /// - Parameters:
    ///   - configurations: by vendor.
    ///   - shown: the same with placeholders.
    package mutating func note(_ configurations: JSON, as shown: JSON) {
        for (vendor, configuration) in configurations.object ?? [:] {
            guard let shown = shown[vendor] else { continue }
            note(configuration, shown, vendor, .root)
        }
    }

    private mutating func note(_ value: JSON, _ shown: JSON, _ vendor: String, _ place: JSONPointer) {
        switch (value, shown) {
        case (.object(let members), .object(let others)):
            for (name, member) in members { others[name].map { note(member, $0, vendor, place.appending(name)) } }
        case (.array(let items), .array(let others)):
            for (index, (item, other)) in zip(items, others).enumerated() { note(item, other, vendor, place.appending(index)) }
        case (.string(let text), .string(let other)) where text != other && other.hasPrefix("«") && other.hasSuffix("»"):
            secrets.append(Secret(placeholder: other, vendor: vendor, place: place))
        default: break
        }
    }
}

extension RecordedSandbox {
    package var json: JSON {
        [
            "sandbox": .members([
                "id": .string(id), "seed": .integer(seed), "begun": .string(begun.description), "creation": creation,
                "ids": .object(ids.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key] = .string($1.value) }),
                "vendor": isOfVendor ? true : nil,
                "secrets": .array(
                    secrets.map {
                        ["placeholder": .string($0.placeholder), "vendor": .string($0.vendor), "place": .string($0.place.description)]
                    }),
                "acts": .array(
                    acts.map { act in
                        .members([
                            "time": .string(act.time.description), "entry": .integer(Int64(act.entry)),
                            "operation": act.operation.map { .string($0) },
                            "with": .object(act.arguments), "cause": .string(act.cause),
                            "opened": act.opened.map { .integer(Int64($0)) },
                        ])
                    }),
            ])
        ]
    }

    /// - Parameters:
    ///   - json: ``json``.
    ///   - pointer: its place.
    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        let pointer = pointer.appending("sandbox")
        guard let sandbox = json["sandbox"], let id = sandbox["id"]?.string, let seed = sandbox["seed"]?.integer,
            let begun = sandbox["begun"]?.string.flatMap({ Timestamp($0) }), let creation = sandbox["creation"]
        else { throw ConfigurationError(pointer, "expected a sandbox: its id, its seed, when it began and what it was created with") }
        (self.id, self.seed, self.begun, self.creation) = (id, seed, begun, creation)
        isOfVendor = sandbox["vendor"] == true
        ids = Self.ids(sandbox["ids"])
        for (index, act) in (sandbox["acts"]?.array ?? []).enumerated() {
            guard let time = act["time"]?.string.flatMap({ Timestamp($0) }) else {
                throw ConfigurationError(pointer.appending("acts").appending(index).appending("time"), "expected a time")
            }
            var read = Act(
                time: time, entry: act["entry"]?.integer(in: 0...Int.max) ?? 0, operation: act["operation"]?.string,
                arguments: act["with"]?.object ?? [:], cause: act["cause"]?.string ?? "")
            read.opened = act["opened"]?.integer(in: 0...Int.max)
            acts.append(read)
        }
        for secret in sandbox["secrets"]?.array ?? [] {
            guard let placeholder = secret["placeholder"]?.string, let vendor = secret["vendor"]?.string,
                let place = secret["place"]?.string.flatMap({ JSONPointer($0) })
            else { continue }
            secrets.append(Secret(placeholder: placeholder, vendor: vendor, place: place))
        }
    }
}
