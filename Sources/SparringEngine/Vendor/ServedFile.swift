import HTTPTypes
public import SparringJournal
public import SparringSandbox

/// Marks an answer as a file of an object store or of a web server: clients may ask for it under conditions and for a part of it (RFC 9110 §13 and §14), as far
/// as the operation declares the fields and the answers.
public struct ServedFile: Sendable {
    /// Sandbox time; nil if unknown.
    public var modified: Timestamp?
    /// The entity tag stands without quotes, which RFC 9110 §8.8.3 demands and some stores leave out.
    public var isTagBare: Bool
    /// ``StoredFile/md5(of:)`` if it is known: else it is that of the body as it goes out.
    var md5: String?

    public init(modified: Timestamp? = nil, isTagBare: Bool = false) {
        (self.modified, self.isTagBare) = (modified, isTagBare)
    }

    public init(_ file: StoredFile, isTagBare: Bool = false) {
        self.init(modified: file.keptAt, isTagBare: isTagBare)
        md5 = file.md5
    }

    /// The validators of the file (RFC 9110 §8.8).
    ///
    /// - Parameter body: as it goes out.
    func validators(of body: [UInt8]) -> HTTPFields {
        let md5 = md5 ?? StoredFile.md5(of: body)
        var fields: HTTPFields = [.eTag: isTagBare ? md5 : "\"\(md5)\""]
        fields[.lastModified] = modified?.httpDate
        return fields
    }
}

extension Answer {
    /// An answer with a file that is kept.
    public init(_ name: String, _ file: StoredFile, isTagBare: Bool = false, cause: String? = nil) {
        self.init(name, body: .bytes(file.bytes), cause: cause)
        self.file = ServedFile(file, isTagBare: isTagBare)
    }
}
