import SparringVendorKit

/// The Monitoring API's records: sessions, and the engagements that were shown in them.
enum MonitoringState {
    static let tables = Tables(
        "liveperson.monitoring.1",
        """
        CREATE TABLE liveperson_monitoring_session (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          visitor TEXT NOT NULL,
          session TEXT NOT NULL,
          opened_at INTEGER NOT NULL,         -- sandbox time in milliseconds, like every time here
          seen_at INTEGER NOT NULL,
          calls INTEGER NOT NULL,
          PRIMARY KEY (sandbox, visitor, session)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE liveperson_monitoring_engagement (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          visitor TEXT NOT NULL,
          session TEXT NOT NULL,
          context INTEGER NOT NULL,           -- counted from 1 in its session
          campaign INTEGER NOT NULL,
          engagement INTEGER NOT NULL,
          revision INTEGER NOT NULL,
          fetched_at INTEGER NOT NULL,        -- the last time
          PRIMARY KEY (sandbox, visitor, session, context)
        ) STRICT, WITHOUT ROWID;
        """)

    static func hasSignedIn(_ consumer: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.value("SELECT 1 FROM liveperson_consumer WHERE sandbox = ? AND id = ?", [sandbox, consumer]) ?? false
    }

    /// A visitor's session: known by both ids together (LivePerson reference 9).
    struct Session: Sendable {
        var visitor: String
        var id: String

        /// Counts a call of a session that has been seen since `limit`.
        ///
        /// - Returns: false where there is no such session.
        func touch(_ sandbox: String, at now: Timestamp, seenAfter limit: Timestamp, _ db: Database) throws -> Bool {
            try db.run(
                """
                UPDATE liveperson_monitoring_session SET seen_at = ?, calls = calls + 1
                WHERE sandbox = ? AND visitor = ? AND session = ? AND seen_at > ?
                """, [now, sandbox, visitor, id, limit]) == 1
        }

        /// Whether it has been seen since `limit`.
        func isKnown(_ sandbox: String, seenAfter limit: Timestamp, _ db: Database) throws -> Bool {
            try db.value(
                "SELECT 1 FROM liveperson_monitoring_session WHERE sandbox = ? AND visitor = ? AND session = ? AND seen_at > ?",
                [sandbox, visitor, id, limit]) ?? false
        }

        func open(_ sandbox: String, at now: Timestamp, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO liveperson_monitoring_session (sandbox, visitor, session, opened_at, seen_at, calls)
                VALUES (?, ?, ?, ?, ?, 1)
                """, [sandbox, visitor, id, now, now])
        }
    }

    /// An engagement that a session was given.
    struct Fetched: Sendable {
        var context: Int64
        var campaign: Int64
        var engagement: Int64
        var revision: Int64

        /// Notes that the session was given the engagement; given again, it keeps its context.
        static func note(
            _ engagement: LivePerson.Engagement, in session: Session, _ sandbox: String, at now: Timestamp, _ db: Database
        ) throws -> Fetched {
            let earlier = try all(in: session, sandbox, db)
            let known = earlier.first {
                $0.campaign == engagement.campaign && $0.engagement == engagement.id && $0.revision == engagement.revision
            }
            let fetched =
                known
                ?? Fetched(
                    context: (earlier.map(\.context).max() ?? 0).addingClamped(1), campaign: engagement.campaign, engagement: engagement.id,
                    revision: engagement.revision)
            try db.run(
                """
                INSERT INTO liveperson_monitoring_engagement
                  (sandbox, visitor, session, context, campaign, engagement, revision, fetched_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET fetched_at = excluded.fetched_at
                """, [sandbox, session.visitor, session.id, fetched.context, fetched.campaign, fetched.engagement, fetched.revision, now])
            return fetched
        }

        /// The engagements that a session was given, in the order in which it first got them.
        static func all(in session: Session, _ sandbox: String, _ db: Database) throws -> [Fetched] {
            try db.rows(
                """
                SELECT context, campaign, engagement, revision FROM liveperson_monitoring_engagement
                WHERE sandbox = ? AND visitor = ? AND session = ? ORDER BY context
                """, [sandbox, session.visitor, session.id]
            ).map { row in
                Fetched(context: row[0], campaign: row[1], engagement: row[2], revision: row[3])
            }
        }
    }
}
