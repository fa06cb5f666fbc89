import SparringVendorKit

/// Files of messages.
enum AttachmentState {
    static let tables = Tables(
        "cxone.attachment.1",
        """
        CREATE TABLE cxone_attachment (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          file TEXT NOT NULL,                 -- as the URL names it
          name TEXT NOT NULL,                 -- as the client named it
          mime_type TEXT NOT NULL,
          content INTEGER,                    -- its file
          PRIMARY KEY (sandbox, brand, file)
        ) STRICT;
        """
    )
    .then("cxone.attachment.2") { try StoredFiles.migrate("cxone_attachment", $0) }

    struct File: Sendable {
        var file: String
        var name: String
        var mimeType: String
        /// ``StoredFiles/file(_:_:)``
        var content: Int64
    }

    static func keep(_ file: File, of brand: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO cxone_attachment (sandbox, brand, file, name, mime_type, content) VALUES (?, ?, ?, ?, ?, ?)",
            [sandbox, brand, file.file, file.name, file.mimeType, file.content])
    }

    static func file(_ file: String, of brand: String, _ sandbox: String, _ db: Database) throws -> File? {
        try db.row(
            "SELECT name, mime_type, content FROM cxone_attachment WHERE sandbox = ? AND brand = ? AND file = ?", [sandbox, brand, file]
        ).map { row in
            File(file: file, name: row[0], mimeType: row[1], content: row[2])
        }
    }
}
