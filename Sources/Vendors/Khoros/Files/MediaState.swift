import SparringVendorKit

/// Files of messages.
enum MediaState {
    static let tables = Tables(
        "khoros.media.1",
        """
        CREATE TABLE khoros_media (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          file TEXT NOT NULL,                 -- as the URL names it
          mime_type TEXT NOT NULL,
          content INTEGER,                    -- its file
          PRIMARY KEY (sandbox, app, file)
        ) STRICT;
        """
    )
    .then("khoros.media.2") { try StoredFiles.migrate("khoros_media", $0) }

    static func keep(
        _ bytes: [UInt8], _ mimeType: String, as file: String, of app: String, at now: Timestamp, _ sandbox: Sandbox, _ db: Database
    ) throws {
        try db.run(
            "INSERT INTO khoros_media (sandbox, app, file, mime_type, content) VALUES (?, ?, ?, ?, ?)",
            [sandbox.id, app, file, mimeType, try sandbox.files.keep(bytes, at: now, db)])
    }

    static func file(_ file: String, of app: String, _ sandbox: String, _ db: Database) throws -> (mimeType: String, stored: StoredFile)? {
        try db.row("SELECT mime_type, content FROM khoros_media WHERE sandbox = ? AND app = ? AND file = ?", [sandbox, app, file]).map {
            ($0[0], try StoredFiles.file($0[1], db))
        }
    }
}
