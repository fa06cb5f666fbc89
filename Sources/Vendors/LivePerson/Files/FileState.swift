import SparringVendorKit

/// The files that were or are to be shared.
enum FileState {
    static let tables = Tables(
        "liveperson.file.1",
        """
        CREATE TABLE liveperson_file (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          path TEXT NOT NULL,
          account TEXT NOT NULL,
          type TEXT NOT NULL,
          announced INTEGER NOT NULL,         -- the size that was declared beforehand, in bytes
          uploader TEXT NOT NULL,             -- the consumer or agent who asked for the URL
          uploaded_at INTEGER,                -- sandbox time in milliseconds; null: nothing was put there
          size INTEGER,
          content INTEGER,                    -- its file
          PRIMARY KEY (sandbox, path)
        ) STRICT;
        """
    )
    .then("liveperson.file.2") { try StoredFiles.migrate("liveperson_file", $0) }

    /// A file, or the place for one.
    struct File: Sendable {
        /// The file's path, as clients know it: `relativePath`.
        var path: String
        var account: String
        var type: FileType
        var announced: Int
        var uploader: String
        /// Nil: nothing was put there.
        var uploadedAt: Timestamp?
        var size: Int?
        /// ``StoredFiles/file(_:_:)``
        var content: Int64?

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                "INSERT INTO liveperson_file (sandbox, path, account, type, announced, uploader) VALUES (?, ?, ?, ?, ?, ?)",
                [sandbox, path, account, type.rawValue, announced, uploader])
        }

        /// Keeps the bytes, in place of earlier ones.
        func put(_ bytes: [UInt8], _ sandbox: Sandbox, at now: Timestamp, _ db: Database) throws {
            if let content { try sandbox.files.release(content, db) }
            try db.run(
                "UPDATE liveperson_file SET content = ?, size = ?, uploaded_at = ? WHERE sandbox = ? AND path = ?",
                [try sandbox.files.keep(bytes, at: now, db), bytes.count, now, sandbox.id, path])
        }
    }

    /// A file of the account's; nil for every other path.
    static func file(_ path: String, of account: String, _ sandbox: String, _ db: Database) throws -> File? {
        try db.row(
            """
            SELECT type, announced, uploader, uploaded_at, size, content FROM liveperson_file WHERE sandbox = ? AND path = ? AND account = ?
            """, [sandbox, path, account]
        ).map { row in
            File(
                path: path, account: account, type: FileType(rawValue: row[0]) ?? .png, announced: row[1], uploader: row[2],
                uploadedAt: row[3], size: row[4], content: row[5])
        }
    }
}
