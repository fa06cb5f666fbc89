import SparringContract
import SparringJSON

/// The place of a value in an entry: `header:Authorization` (without its scheme), `query:v`, `body:/id_token`, `answer:/token`,
/// `mark:/value`, `socket:number`, `target:path`, `target:token`. A pointer's token `*` is each element of a list, or the only one where it
/// stands for the list: `body:/headers/*/jwt`.
struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    enum Part: String, Sendable, CaseIterable {
        case header, query, body, answer, mark, socket
        /// `target:path`: of the request, without its query; `target:token`: its last segment, where that is a JWT; `target:connection`: the number of the
        /// connection that it came on.
        case target
    }

    var part: Part
    /// The name of a header or query parameter; for other parts, the text behind the colon.
    var name: String
    /// The place in JSON or in a form.
    var pointer: JSONPointer

    init(part: Part, name: String, pointer: JSONPointer) { (self.part, self.name, self.pointer) = (part, name, pointer) }

    init?(_ text: String) {
        let words = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard words.count == 2, let part = Part(rawValue: words[0]), !words[1].isEmpty else { return nil }
        self.part = part
        name = words[1]
        switch part {
        case .header, .query, .socket, .target: pointer = .root
        case .body, .answer, .mark:
            guard let pointer = JSONPointer(words[1]) else { return nil }
            self.pointer = pointer
        }
    }

    var description: String { "\(part.rawValue):\(name)" }

    /// - Parameter needed: what it is, where there must be one.
    static func read(_ name: String, _ declaration: Declaration, needed: String? = nil) throws(ConfigurationError) -> [SourcePlace] {
        let places = try declaration.texts(name).map { text throws(ConfigurationError) in
            guard let place = SourcePlace(text) else {
                throw declaration.error(
                    name, "'\(text)' is not a place such as header:Authorization, query:v, body:/id_token or answer:/token")
            }
            return place
        }
        return try declaration.need(places, name, needed)
    }

    typealias Pair = ([SourcePlace], [SourcePlace])

    /// A mapping of two members, each of one or several places; nil where there is none.
    static func pair(_ name: String, of members: (String, String), _ declaration: Declaration) throws(ConfigurationError) -> Pair? {
        guard let own = try declaration.mapping(name, known: [members.0, members.1]) else { return nil }
        let pair = (try read(members.0, own), try read(members.1, own))
        guard !pair.0.isEmpty, !pair.1.isEmpty else {
            throw ConfigurationError(own.pointer, "'\(members.0)' and '\(members.1)' are needed")
        }
        return pair
    }
}

extension Event {
    /// The value that stands at a place; nil where there is none.
    func value(at place: SourcePlace) -> String? {
        let value = value(onWireAt: renamed?.onWire(place, of: self) ?? place)
        // The same token follows 'Bearer' in one place and 'jwt' in another.
        guard place.part == .header, place.name.lowercased() == "authorization" else { return value }
        return value?.split(separator: " ", maxSplits: 1).last.map { String($0) }
    }

    private func value(onWireAt place: SourcePlace) -> String? {
        switch place.part {
        case .header: return header(place.name, of: "request")
        case .query:
            guard let target = record.object("request")?.string("target"), let mark = target.firstIndex(of: "?") else { return nil }
            return Self.field(place.name, of: target[target.index(after: mark)...])
        case .target where place.name == "connection": return record.object("request")?.integer("connection").map { String($0) }
        case .target:
            guard let target = record.object("request")?.string("target") else { return nil }
            let path = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
            guard place.name == "token" else { return String(path) }
            let last = path.split(separator: "/").last.map { String($0) }
            return last?.hasPrefix("ey") == true && last?.split(separator: ".").count == 3 ? last : nil
        case .socket: return socket.map { String($0) }
        case .body: return text(of: record.object("request")?.string("body"), place.pointer)
        case .answer: return text(of: record.object("answer")?.string("body"), place.pointer)
        case .mark: return record.json("details")?[place.pointer].map { $0.string ?? $0.text }
        }
    }

    /// - Parameter half: `request` or `answer`.
    func header(_ name: String, of half: StaticString) -> String? {
        record.object(half)?.json("headers")?.object?.first { $0.key.lowercased() == name.lowercased() }?.value.string
    }

    /// Seconds that the answer asks to wait (RFC 9110 §10.2.3); a date is not understood, nor what is more than ten years.
    var retryAfter: Double? {
        let seconds = header("Retry-After", of: "answer").flatMap { Double($0) }
        return seconds.flatMap { (0...Double(Duration.longest.milliseconds) / 1000).contains($0) ? $0 : nil }
    }

    /// All values at a place of the answer, whose pointer may mean each element of a list.
    func values(at place: SourcePlace) -> [String] {
        guard place.part == .answer, place.pointer.tokens.contains("*"),
            let json = record.object("answer")?.string("body").flatMap({ try? JSON(parsing: Array($0.utf8)) })
        else { return value(at: place).map { [$0] } ?? [] }
        return Self.values(at: place.pointer.tokens[...], of: json).map { $0.string ?? $0.text }
    }

    private static func values(at tokens: ArraySlice<String>, of json: JSON) -> [JSON] {
        guard let token = tokens.first else { return [json] }
        guard token == "*" else { return json[JSONPointer(tokens: [token])].map { values(at: tokens.dropFirst(), of: $0) } ?? [] }
        return (json.array ?? [json]).flatMap { values(at: tokens.dropFirst(), of: $0) }
    }

    /// The value at the first of the places that has one.
    func value(at places: [SourcePlace]) -> String? { places.lazy.compactMap { self.value(at: $0) }.first }

    private func text(of body: String?, _ pointer: JSONPointer) -> String? {
        guard let body else { return nil }
        if let json = try? JSON(parsing: Array(body.utf8)) {
            return Self.values(at: pointer.tokens[...], of: json).first.map { $0.string ?? $0.text }
        }
        return pointer.tokens.count == 1 ? Self.field(pointer.tokens[0], of: body[...]) : nil
    }

    /// The first of this name in a query or form.
    private static func field(_ name: String, of text: Substring) -> String? {
        PercentCoding.fields(text).first { $0.name == name }?.value
    }
}
