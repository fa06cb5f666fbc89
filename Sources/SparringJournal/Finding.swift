import Crypto
package import SparringJSON

/// Something that went wrong in a call that may still have been answered; most often the client under test did it.
public struct Finding: Sendable, Hashable {
    /// For programs: `missing`, `leak` … It never changes, even when the words are improved.
    public var code: String
    /// The place in the message, such as `body:/id_token` or `query:appId`; nil if the finding is about no particular place.
    public var place: String?
    /// For people.
    public var words: String
    /// ``place`` with `*` for the numbers of items and for names that are the sender's; nil if that is the same.
    package var member: String?
    /// The place in a contract that says what was violated; nil if none does.
    package var basis: Basis?
    /// Actions of an overlay that would allow it (OpenAPI Overlay 1.1).
    package var actions: [JSON] = []
    /// The command with which a sandbox would answer the call.
    package var stub: String?
    /// The qualified name of the operation that a misspelt call or message was meant for.
    package var meant: String?

    /// The place of a statement in a contract.
    package struct Basis: Sendable, Hashable, Decodable {
        /// The name of the contract's file.
        package var document: String
        /// A JSONPath in it (RFC 9535).
        package var path: String
        /// The file in which it is written, if not the document's: an overlay's.
        package var file: String?
        /// In that file, from 1.
        package var line: Int

        package init(document: String, path: String, file: String?, line: Int) {
            (self.document, self.path, self.file, self.line) = (document, path, file, line)
        }

        /// `liveperson.openapi.yaml:12`.
        package var text: String { "\(file ?? document):\(line)" }
    }

    /// The code of a finding about a call that fits no operation.
    package static let unplaced = "unplaced"
    /// The code of a finding about a call or message whose name is a slip of the finger for one that the contract has.
    package static let misspelt = "misspelt"
    /// The code of a finding about a call to something that Sparring does not emulate.
    public static let notEmulated = "not-emulated"

    /// The prefix of the codes of findings that say where a replay differs from its recording.
    package static let replayed = "replay-"

    public init(_ code: String, at place: String? = nil, _ words: String) {
        self.code = code
        self.place = place
        self.words = words
    }

    /// One about a call that fits no operation.
    ///
    /// - Parameter call: its method and path.
    package init(_ code: String, ofCall call: String, _ words: String) {
        self.init(code, at: call, words)
        member = call.withoutIDs
    }

    /// The same for all findings of one kind about one place of an operation, in every run and every version: 16 hexadecimal digits.
    package func fingerprint(in operation: String) -> String {
        let parts = [operation, member ?? place ?? "", code].joined(separator: "\n")
        return SHA256.hash(data: Array(parts.utf8)).prefix(8).hex
    }
}

extension Finding {
    package var json: JSON {
        .members([
            "code": .string(code), "place": place.map { .string($0) }, "member": member.map { .string($0) }, "words": .string(words),
            "contract": basis?.json, "overlay": actions.isEmpty ? nil : .array(actions),
            "stub": stub.map { .string($0) }, "meant": meant.map { .string($0) },
        ])
    }

    /// Nil if the JSON is no finding.
    package init?(_ json: JSON) {
        guard let code = json["code"]?.string, let words = json["words"]?.string else { return nil }
        self.init(code, at: json["place"]?.string, words)
        member = json["member"]?.string
        basis = try? json["contract"]?.decoded()
        actions = json["overlay"]?.array ?? []
        (stub, meant) = (json["stub"]?.string, json["meant"]?.string)
    }
}

extension Finding.Basis {
    package var json: JSON {
        .members([
            "document": .string(document), "path": .string(path), "file": file.map { .string($0) }, "line": .integer(Int64(line)),
        ])
    }
}

extension String {
    /// With `*` for what is most likely an id: so calls of one kind are known to be alike.
    fileprivate var withoutIDs: String {
        split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let isID = segment.utf8.count >= 5 && segment.utf8.contains { (0x30...0x39).contains($0) }
            return isID ? "*" : String(segment)
        }.joined(separator: "/")
    }
}
