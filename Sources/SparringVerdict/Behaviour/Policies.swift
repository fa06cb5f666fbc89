package import SparringJSON
import SparringJournal

/// A number or a schedule that the vendor leaves to the app, with the value that the vendor's document suggests.
///
/// ```yaml
/// policies:
///   - policy: retries
///     says: How often a call that failed is tried again.
///     source: …
///     counts: retry-schedule       # as many as that one has
///   - policy: retry-schedule
///     value: [1s, 2s, 4s, 8s, 16s]
/// ```
/// Rules refer to one by `{ policy: retries }`, or `{ policy: retries, plus: 1 }`.
package struct Policy: Sendable {
    package let name: String
    package let vendor: String
    package let says: String
    package let source: String
    /// The value that the document suggests; nil for a policy that counts another.
    let value: JSON?
    /// The schedule whose length it is.
    let counts: String?
    /// The value that the document suggests, or the words for what the policy counts.
    package var standard: JSON { value ?? .string("as many as \(counts ?? "") has") }

    init(_ declared: Declaration, vendor: String) throws(ConfigurationError) {
        name = try declared.text("policy")
        self.vendor = vendor
        says = try declared.text("says")
        source = try declared.text("source")
        value = declared.json["value"]
        counts = try declared.optionalText("counts")
        guard (value == nil) != (counts == nil) else { throw ConfigurationError(declared.pointer, "expected one of 'value' and 'counts'") }
        guard let value else { return }
        let durations = value.array ?? (value.string == nil ? [] : [value])
        let isSound =
            durations.isEmpty
            ? value.integer(in: 0...1000) != nil : durations.allSatisfy { $0.string.flatMap { Duration(text: $0) } != nil }
        guard isSound else {
            throw declared.error("value", "'value' must be a number from 0 to 1000, a duration such as 500ms, or a list of durations")
        }
    }

    /// A value as people write it: `3`, `500ms`, `1s,2s,4s`.
    ///
    /// - Throws: with `pointer` where it is none for this policy.
    func read(_ given: JSON, at pointer: JSONPointer) throws(ConfigurationError) -> JSON {
        if counts != nil || value?.integer(in: 0...1000) != nil {
            if let number = given.integer(in: 1...100) ?? given.string.flatMap({ $0.integer(in: 1...100) }) {
                return .integer(Int64(number))
            }
            throw ConfigurationError(pointer, "policy '\(name)' must be a number from 1 to 100, not '\(given.string ?? given.text)'")
        }
        let listed = given.array?.map { $0.string ?? "" }
        let written = given.string?.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
        let texts = listed ?? written ?? []
        let isSchedule = value?.array != nil
        guard !texts.isEmpty, isSchedule || texts.count == 1, texts.allSatisfy({ Duration(text: $0) != nil }) else {
            let wanted = isSchedule ? "durations such as 1s,2s,4s" : "a duration such as 500ms"
            throw ConfigurationError(pointer, "policy '\(name)' must be \(wanted), not '\(given.string ?? given.text)'")
        }
        return isSchedule ? .array(texts.map { .string($0) }) : .string(texts[0])
    }
}

/// The values of a vendor's policies.
struct PolicyValues: Sendable {
    private var values: [String: JSON] = [:]

    /// - Parameter given: values that have been read (``Policy/read(_:at:)``), by name.
    init(_ policies: [Policy], given: [String: JSON]) {
        for policy in policies { values[policy.name] = given[policy.name] ?? policy.value }
        for policy in policies {
            guard let schedule = policy.counts, let delays = values[schedule]?.array else { continue }
            let count = given[policy.name]?.integer(in: 1...100) ?? delays.count
            values[policy.name] = .integer(Int64(count))
            values[schedule] = .array(Self.extended(delays, to: count))
        }
    }

    /// The first of them, or more by the growth of the last two.
    private static func extended(_ delays: [JSON], to count: Int) -> [JSON] {
        var waits = delays.compactMap { $0.string.flatMap { Duration(text: $0) } }.map { Double($0.milliseconds) }
        let growth = waits.count > 1 ? waits[waits.count - 1] / waits[waits.count - 2] : 1
        while waits.count < count, let last = waits.last { waits.append(min(last * max(1, growth), 86_400_000)) }
        return waits.prefix(count).map { .string("\(Int64(clamped: $0))ms") }
    }

    /// A rule's declaration with the values in the place of the names.
    func filling(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) -> JSON {
        if let name = json["policy"]?.string {
            let declared = try Declaration(json, at: pointer, known: ["policy", "plus"])
            guard let value = values[name] else {
                throw ConfigurationError(pointer, "there is no policy '\(name)'\(Nearest.hint(for: name, in: values.keys.sorted()))")
            }
            guard let more = json["plus"] else { return value }
            guard let plus = more.integer(in: 0...100), let number = value.integer(in: 0...1000) else {
                throw declared.error("plus", "'plus' must be a number from 0 to 100, for a policy that is a number")
            }
            return .integer(Int64(number + plus))
        }
        if let members = json.object {
            var filled = JSON.Object()
            for (name, member) in members { filled[name] = try filling(member, at: pointer.appending(name)) }
            return .object(filled)
        }
        guard let items = json.array else { return json }
        var filled: [JSON] = []
        for (index, item) in items.enumerated() { filled.append(try filling(item, at: pointer.appending(index))) }
        return .array(filled)
    }
}
