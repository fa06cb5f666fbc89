import SparringVendorKit

/// The users of apps.
enum MessengerUserState {
    static let tables = Tables(
        "khoros.user.1",
        """
        CREATE TABLE khoros_user (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          id TEXT NOT NULL,
          user_id TEXT,                       -- the brand's
          given_name TEXT,
          surname TEXT,
          email TEXT,
          properties TEXT NOT NULL,           -- JSON
          session_token TEXT,
          number INTEGER NOT NULL,            -- in the order of coming
          last_seen INTEGER NOT NULL,         -- sandbox time in milliseconds
          sign_ins INTEGER NOT NULL DEFAULT 0,
          sign_outs INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (sandbox, app, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX khoros_user_by_brand ON khoros_user (sandbox, app, user_id);
        """)

    static func insert(_ user: MessengerUser, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO khoros_user (sandbox, app, id, user_id, given_name, surname, email, properties, session_token, last_seen, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(max(number), 0) + 1 FROM khoros_user WHERE sandbox = ?1 AND app = ?2
            """,
            [
                sandbox, user.app, user.id, user.userId, user.givenName, user.surname, user.email, user.properties.text, user.sessionToken,
                user.lastSeen,
            ])
    }

    static func update(_ user: MessengerUser, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            UPDATE khoros_user SET user_id = ?, given_name = ?, surname = ?, email = ?, properties = ?, session_token = ?, last_seen = ?,
              sign_ins = ?, sign_outs = ? WHERE sandbox = ? AND app = ? AND id = ?
            """,
            [
                user.userId, user.givenName, user.surname, user.email, user.properties.text, user.sessionToken, user.lastSeen, user.signIns,
                user.signOuts, sandbox, user.app, user.id,
            ])
    }

    static func remove(_ user: MessengerUser, _ sandbox: String, _ db: Database) throws {
        try db.run("DELETE FROM khoros_user WHERE sandbox = ? AND app = ? AND id = ?", [sandbox, user.app, user.id])
    }

    static func user(_ id: String, of app: String, _ sandbox: String, _ db: Database) throws -> MessengerUser? {
        try users("id = ?", [sandbox, app, id], db).first
    }

    /// The user with the brand's id.
    static func user(ofBrand userId: String, of app: String, _ sandbox: String, _ db: Database) throws -> MessengerUser? {
        try users("user_id = ?", [sandbox, app, userId], db).first
    }

    /// The user with either id.
    static func user(called name: String, of app: String, _ sandbox: String, _ db: Database) throws -> MessengerUser? {
        try user(ofBrand: name, of: app, sandbox, db) ?? user(name, of: app, sandbox, db)
    }

    static func user(withEmail email: String, of app: String, _ sandbox: String, _ db: Database) throws -> MessengerUser? {
        try users("email = ?", [sandbox, app, email], db).first
    }

    /// In the order of coming.
    static func users(of app: String, _ sandbox: String, _ db: Database) throws -> [MessengerUser] {
        try users("true", [sandbox, app], db)
    }

    private static func users(_ condition: String, _ arguments: Bindings, _ db: Database) throws -> [MessengerUser] {
        try db.rows("SELECT * FROM khoros_user WHERE sandbox = ? AND app = ? AND \(condition) ORDER BY number", arguments).map { row in
            MessengerUser(
                app: row["app"], id: row["id"], userId: row["user_id"], givenName: row["given_name"], surname: row["surname"],
                email: row["email"], properties: try JSON(parsing: row["properties"] as String), sessionToken: row["session_token"],
                lastSeen: row["last_seen"], signIns: row["sign_ins"], signOuts: row["sign_outs"])
        }
    }
}
