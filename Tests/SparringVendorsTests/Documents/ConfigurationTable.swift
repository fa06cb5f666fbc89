import Foundation
import SparringContract
import SparringJSON
import Support

/// The members of a tenant's configuration, for a vendor's page: made of `contracts/<vendor>.tenant.schema.yaml`.
struct ConfigurationTable {
    struct Row: Equatable {
        /// Its way from the configuration: `backend.client`, `clients[].id` of each item, `subjects.*.name` of each member.
        let member: String
        /// Nil for a member that is not there unless somebody configures it.
        let standard: String?
        let meaning: String
    }

    private(set) var rows: [Row] = []
    /// The schemas, by their names in the folder of contracts.
    private var documents: [String: JSON]
    /// Members deeper than this have no rows: the row above names them.
    private let depth: Int

    init(_ vendor: String, depth: Int = .max) throws {
        (documents, self.depth) = ([:], depth)
        try read("\(vendor).tenant.schema.yaml")
    }

    /// - Parameter documents: the schema under the name `own`, and others that it refers to.
    init(_ documents: [String: JSON], depth: Int = .max) throws {
        (self.documents, self.depth) = (documents, depth)
        try read("own")
    }

    /// The table of the page.
    var text: String {
        let lines = rows.map { "| `\($0.member)` | \(Self.cell($0.standard ?? "–")) | \(Self.cell($0.meaning)) |" }
        return (["| Member | Default | Means |", "| --- | --- | --- |"] + lines).joined(separator: "\n") + "\n"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("\n", with: " ") }

    // MARK: Reading

    /// A schema with what it refers to.
    private struct Place {
        var schema: JSON.Object
        /// The document that its own references are relative to.
        var document: String
        /// The references that led here.
        var way: [String] = []
        /// The schema contains itself.
        var isRepeated = false

        subscript(keyword: String) -> JSON? { schema[keyword] }
    }

    private mutating func read(_ document: String) throws {
        let root = try self.document(document)
        try addMembers(of: Place(schema: root.object ?? [:], document: document), at: "", level: 1)
    }

    private mutating func document(_ name: String) throws -> JSON {
        if let known = documents[name] { return known }
        let text = try String(contentsOfFile: Repository.folder("contracts/\(name)"), encoding: .utf8)
        let read = try YAMLDocument(parsing: text, file: name).json
        documents[name] = read
        return read
    }

    private mutating func place(_ schema: JSON, from outer: Place) throws -> Place {
        var place = Place(schema: schema.object ?? [:], document: outer.document, way: outer.way)
        while !place.isRepeated, let text = place.schema.removeValue(forKey: "$ref")?.string {
            let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if !parts[0].isEmpty { place.document = parts[0] }
            let pointer = JSONPointer(parts.count > 1 ? parts[1] : "")
            guard let target = try pointer.flatMap({ try document(place.document)[$0]?.object }) else {
                throw ContractError(file: place.document, message: "$ref '\(text)' leads nowhere")
            }
            // What stands beside a reference is about this one use of it.
            place.schema = JSON.object(target).merging(.object(place.schema)).object ?? [:]
            let reference = "\(place.document)#\(parts.last ?? "")"
            place.isRepeated = place.way.contains(reference)
            place.way.append(reference)
        }
        return place
    }

    private mutating func addMembers(of place: Place, at path: String, level: Int) throws {
        if place.isRepeated { return }
        let required = place["required"]?.array?.compactMap(\.string) ?? []
        // A member that is like another has no row: the description of what has it names the other.
        for (name, schema) in place["properties"]?.object ?? [:] where schema["$ref"]?.string?.hasPrefix("#/properties/") != true {
            let member = try self.place(schema, from: place)
            let way = path.isEmpty ? name : "\(path).\(name)"
            let within = level < depth ? [] : try names(within: member)
            rows.append(Self.row(way, member, isRequired: required.contains(name), within: within))
            if level < depth { try addMembers(of: member, at: way, level: level + 1) }
        }
        for (step, inner) in try contents(of: place) { try addMembers(of: inner, at: path + step, level: level) }
    }

    /// A list's items and a map's members, with the step that leads there.
    private mutating func contents(of place: Place) throws -> [(step: String, Place)] {
        var contents: [(step: String, Place)] = []
        for (keyword, step) in [("items", "[]"), ("additionalProperties", ".*")] {
            guard let schema = place[keyword], schema.object != nil else { continue }
            contents.append((step, try self.place(schema, from: place)))
        }
        return contents
    }

    private mutating func names(within place: Place) throws -> [String] {
        if place.isRepeated { return [] }
        var names = (place["properties"]?.object ?? [:]).map(\.key)
        for (_, inner) in try contents(of: place) { names += try self.names(within: inner) }
        return names
    }

    // MARK: Words

    private static func row(_ member: String, _ place: Place, isRequired: Bool, within names: [String]) -> Row {
        var sentences = [place["description"]?.string ?? ""]
        // Where an object's members are known each has a row of its own.
        var standard = place["default"].flatMap { $0 == [:] && place["properties"] != nil ? nil : words(for: $0) }
        // A default that is no constant stands in the description, in a sentence of its own.
        let parts = sentences[0].split(separator: "Default: ", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let end = parts[1].firstRange(of: ". ")?.lowerBound ?? parts[1].endIndex
            let words = parts[1][..<end]
            standard = String(words.hasSuffix(".") ? words.dropLast() : words)
            sentences = [parts[0], parts[1][end...].dropFirst(2)].map { $0.trimmingCharacters(in: .whitespaces) }
        }
        if let values = place["enum"]?.array { sentences.append((values.count == 2 ? "Either " : "One of ") + choice(values) + ".") }
        if let values = place["items"]?["enum"]?.array { sentences.append("Any of \(choice(values)).") }
        sentences.append(bounds(place) ?? "")
        // Of a map only an example shows what it maps.
        if place["type"] == "object", place["properties"] == nil, let example = place["examples"]?.array?.first {
            sentences.append("Such as `\(example.text)`.")
        }
        if !names.isEmpty { sentences.append("Members: \(names.map { "`\($0)`" }.joined(separator: ", ")).") }
        return Row(
            member: member, standard: isRequired ? "required" : standard,
            meaning: sentences.filter { !$0.isEmpty }.joined(separator: " "))
    }

    private static func choice(_ values: [JSON]) -> String { Nearest.choice(of: values.map { "`\($0.string ?? $0.text)`" }) }

    private static func bounds(_ place: Place) -> String? {
        guard place["type"] == "integer" || place["type"] == "number" else { return nil }
        return switch (place["minimum"], place["maximum"]) {
        case (let least?, let most?): "From \(least) to \(most)."
        case (let least?, nil): "At least \(least)."
        case (nil, let most?): "At most \(most)."
        case (nil, nil): nil
        }
    }

    private static func words(for standard: JSON) -> String {
        switch standard {
        case [], [:]: "none"
        case "": "empty"
        case .array(let items) where !items.contains { $0.object != nil || $0.array != nil }: items.map(words).joined(separator: ", ")
        default: "`\(standard.string ?? standard.text)`"
        }
    }
}
