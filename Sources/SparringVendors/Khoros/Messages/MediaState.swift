import Foundation
import GRDB

/// Files of messages.
enum MediaState {
    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("khoros.media.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE khoros_media (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      app TEXT NOT NULL,
                      file TEXT NOT NULL,                 -- as the URL names it
                      mime_type TEXT NOT NULL,
                      bytes BLOB NOT NULL,
                      PRIMARY KEY (sandbox, app, file)
                    ) STRICT;
                    """)
        }
    }

    static func keep(_ bytes: [UInt8], _ mimeType: String, as file: String, of app: String, _ sandbox: String, _ db: Database) throws {
        // A statement that is kept would keep the file, too.
        try db.makeStatement(sql: "INSERT INTO khoros_media (sandbox, app, file, mime_type, bytes) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [sandbox, app, file, mimeType, Data(bytes)])
    }

    static func file(_ file: String, of app: String, _ sandbox: String, _ db: Database) throws -> (mimeType: String, bytes: [UInt8])? {
        let statement = try db.cachedStatement(
            sql: "SELECT mime_type, bytes FROM khoros_media WHERE sandbox = ? AND app = ? AND file = ?")
        return try Row.fetchOne(statement, arguments: [sandbox, app, file]).map { ($0[0], Array($0[1] as Data)) }
    }
}
