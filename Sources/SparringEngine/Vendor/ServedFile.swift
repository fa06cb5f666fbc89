import HTTPTypes
public import SparringJournal
public import SparringSandbox

/// Marks an answer as a file of an object store or of a web server: clients may ask for it under conditions and for a part of it (RFC 9110 §13 and §14), as far
/// as the operation declares the fields and the answers.
public struct ServedFile: Sendable {
    /// Sandbox time; nil if unknown.
    public var modified: Timestamp?
    /// Whether the entity tag is sent without the quotes that RFC 9110 §8.8.3 demands, as by some stores.
    public var isTagBare: Bool
    /// ``StoredFile/md5(of:)`` of the file; nil: it is computed from the body that is sent.
    var md5: String?

    /// The validators of the file (RFC 9110 §8.8).
    ///
    /// - Parameter body: the whole body as it is sent.
    func validators(of body: [UInt8]) -> HTTPFields {
        let md5 = md5 ?? StoredFile.md5(of: body)
        var fields: HTTPFields = [.eTag: isTagBare ? md5 : "\"\(md5)\""]
        fields[.lastModified] = modified?.httpDate
        return fields
    }
}

extension ServedFile {
    public init(modified: Timestamp? = nil, isTagBare: Bool = false) {
        self.init(modified: modified, isTagBare: isTagBare, md5: nil)
    }
}

extension Answer {
    /// An answer with a file that is kept.
    public init(_ name: String, _ file: StoredFile, isTagBare: Bool = false, cause: String? = nil) {
        self.init(name, body: .bytes(file.bytes), cause: cause)
        self.file = ServedFile(modified: file.keptAt, isTagBare: isTagBare, md5: file.md5)
    }
}

extension Decision {
    /// An ``Answer`` with a file that is kept.
    public static func answer(_ name: String, _ file: StoredFile, isTagBare: Bool = false, cause: String? = nil) -> Decision {
        .answer(Answer(name, file, isTagBare: isTagBare, cause: cause))
    }
}
