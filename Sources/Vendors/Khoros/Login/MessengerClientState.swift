import SparringVendorKit

/// On which installations of the app users are logged in.
enum MessengerClientState {
    static let tables = Tables(
        "khoros.client.1",
        """
        CREATE TABLE khoros_client (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          user TEXT NOT NULL,                 -- the vendor's id
          id TEXT NOT NULL,
          platform TEXT NOT NULL,
          integration TEXT,
          app_version TEXT,
          push_token TEXT,
          last_seen INTEGER NOT NULL,         -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, app, user, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX khoros_client_token ON khoros_client (sandbox, app, push_token);
        """)

    /// Keeps it, in place of what was known; what is not said is not forgotten.
    static func keep(_ client: MessengerClient, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO khoros_client (sandbox, app, user, id, platform, integration, app_version, push_token, last_seen)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET platform = iif(excluded.platform = '', platform, excluded.platform),
              integration = coalesce(excluded.integration, integration), app_version = coalesce(excluded.app_version, app_version),
              push_token = coalesce(excluded.push_token, push_token), last_seen = excluded.last_seen
            """,
            [
                sandbox, client.app, client.user, client.id, client.platform, client.integrationId, client.appVersion, client.pushToken,
                client.lastSeen,
            ])
    }

    static func setToken(_ token: String?, of client: MessengerClient, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE khoros_client SET push_token = ? WHERE sandbox = ? AND app = ? AND user = ? AND id = ?",
            [token, sandbox, client.app, client.user, client.id])
    }

    /// - Returns: false where there was none.
    static func remove(_ id: String, of user: MessengerUser, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run("DELETE FROM khoros_client WHERE sandbox = ? AND app = ? AND user = ? AND id = ?", [sandbox, user.app, user.id, id]) > 0
    }

    /// Gives a user's clients to another one.
    static func move(from user: MessengerUser, to other: MessengerUser, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE OR REPLACE khoros_client SET user = ? WHERE sandbox = ? AND app = ? AND user = ?",
            [other.id, sandbox, user.app, user.id])
    }

    static func clients(of user: MessengerUser, _ sandbox: String, _ db: Database) throws -> [MessengerClient] {
        try clients("user = ?", [sandbox, user.app, user.id], db)
    }

    /// The clients with an id, of all users.
    static func clients(called id: String, of app: String, _ sandbox: String, _ db: Database) throws -> [MessengerClient] {
        try clients("id = ?", [sandbox, app, id], db)
    }

    static func clients(on device: String, of app: String, _ sandbox: String, _ db: Database) throws -> [MessengerClient] {
        try clients("push_token = ?", [sandbox, app, device], db)
    }

    private static func clients(_ condition: String, _ arguments: Bindings, _ db: Database) throws -> [MessengerClient] {
        try db.rows("SELECT * FROM khoros_client WHERE sandbox = ? AND app = ? AND \(condition) ORDER BY last_seen, id", arguments)
            .map { row in
                MessengerClient(
                    app: row["app"], user: row["user"], id: row["id"], platform: row["platform"], integrationId: row["integration"],
                    appVersion: row["app_version"], pushToken: row["push_token"], lastSeen: row["last_seen"])
            }
    }
}
