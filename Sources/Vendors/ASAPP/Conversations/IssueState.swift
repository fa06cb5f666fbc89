import SparringVendorKit

/// The conversations of companies, and what was said.
enum IssueState {
    static let tables = Tables(
        "asapp.issue.1",
        """
        CREATE TABLE asapp_issue (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          company TEXT NOT NULL,
          id TEXT NOT NULL,
          customer TEXT NOT NULL,
          number INTEGER NOT NULL,            -- in the order of beginning
          stage TEXT NOT NULL,
          agent TEXT,
          created_at INTEGER NOT NULL,        -- sandbox time in milliseconds, like every time here
          updated_at INTEGER NOT NULL,
          closed_at INTEGER,
          PRIMARY KEY (sandbox, company, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX asapp_issue_customer ON asapp_issue (sandbox, company, customer);
        CREATE TABLE asapp_message (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          company TEXT NOT NULL,
          number INTEGER NOT NULL,            -- in the order of being said
          customer TEXT NOT NULL,
          id TEXT NOT NULL,
          issue TEXT,
          sequence INTEGER NOT NULL,
          author TEXT NOT NULL,
          name TEXT,
          client_id TEXT,
          text TEXT NOT NULL,
          said_at INTEGER NOT NULL,
          PRIMARY KEY (sandbox, company, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX asapp_message_customer ON asapp_message (sandbox, company, customer);
        CREATE UNIQUE INDEX asapp_message_client ON asapp_message (sandbox, company, customer, client_id) WHERE client_id IS NOT NULL;
        """)

    static func insert(_ issue: Issue, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO asapp_issue (sandbox, company, id, customer, stage, created_at, updated_at, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(max(number), 0) + 1 FROM asapp_issue WHERE sandbox = ?1 AND company = ?2
            """, [sandbox, issue.company, issue.id, issue.customer, issue.stage.rawValue, issue.created, issue.updated])
    }

    static func update(_ issue: Issue, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            UPDATE asapp_issue SET stage = ?, agent = ?, updated_at = ?, closed_at = ? WHERE sandbox = ? AND company = ? AND id = ?
            """, [issue.stage.rawValue, issue.agent, issue.updated, issue.closed, sandbox, issue.company, issue.id])
    }

    static func issue(_ id: String, of company: String, _ sandbox: String, _ db: Database) throws -> Issue? {
        try issues("id = ?", [sandbox, company, id], db).first
    }

    /// All of a company's, the oldest first.
    static func issues(of company: String, _ sandbox: String, _ db: Database) throws -> [Issue] {
        try issues("true", [sandbox, company], db)
    }

    /// A customer's newest that is not closed; there is one at most, but where an anonymous customer turned out to be a known one.
    static func open(of customer: CompanyCustomer, _ sandbox: String, _ db: Database) throws -> Issue? {
        try issues("customer = ? AND closed_at IS NULL", [sandbox, customer.company, customer.id], db).last
    }

    private static func issues(_ condition: String, _ arguments: Bindings, _ db: Database) throws -> [Issue] {
        try db.rows("SELECT * FROM asapp_issue WHERE sandbox = ? AND company = ? AND \(condition) ORDER BY number", arguments).map { row in
            Issue(
                company: row["company"], id: row["id"], customer: row["customer"], stage: Issue.Stage(rawValue: row["stage"]) ?? .closed,
                agent: row["agent"], created: row["created_at"], updated: row["updated_at"], closed: row["closed_at"])
        }
    }

    /// Gives what a customer has to another one. A message of which the other has the client's id already keeps its text only.
    static func move(from customer: CompanyCustomer, to other: CompanyCustomer, _ sandbox: String, _ db: Database) throws {
        let arguments: Bindings = [other.id, sandbox, customer.company, customer.id]
        try db.run("UPDATE asapp_issue SET customer = ? WHERE sandbox = ? AND company = ? AND customer = ?", arguments)
        try db.run(
            """
            UPDATE asapp_message SET client_id = NULL WHERE sandbox = ?2 AND company = ?3 AND customer = ?4 AND client_id IN
              (SELECT client_id FROM asapp_message WHERE sandbox = ?2 AND company = ?3 AND customer = ?1)
            """, arguments)
        try db.run("UPDATE asapp_message SET customer = ? WHERE sandbox = ? AND company = ? AND customer = ?", arguments)
    }

    // MARK: What was said

    /// Keeps a message as the last one.
    ///
    /// - Returns: with its numbers.
    static func add(_ message: IssueMessage, _ sandbox: String, _ db: Database) throws -> IssueMessage {
        var kept = message
        let row = try db.row(
            """
            INSERT INTO asapp_message (sandbox, company, customer, id, issue, author, name, client_id, text, said_at, number, sequence)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(max(number), 0) + 1, coalesce(sum(issue = ?5), 0) + 1
            FROM asapp_message WHERE sandbox = ?1 AND company = ?2
            RETURNING number, sequence
            """,
            [
                sandbox, message.company, message.customer, message.id, message.issue, message.author.rawValue, message.name,
                message.clientId, message.text, message.said,
            ])
        (kept.number, kept.sequence) = (row?["number"] ?? 0, row?["sequence"] ?? 0)
        return kept
    }

    static func message(client id: String, of customer: CompanyCustomer, _ sandbox: String, _ db: Database) throws -> IssueMessage? {
        try messages("customer = ? AND client_id = ?", [sandbox, customer.company, customer.id, id], db).first
    }

    /// All of a customer's, oldest first.
    static func messages(of customer: CompanyCustomer, _ sandbox: String, _ db: Database) throws -> [IssueMessage] {
        try messages("customer = ?", [sandbox, customer.company, customer.id], db)
    }

    static func messages(of issue: Issue, _ sandbox: String, _ db: Database) throws -> [IssueMessage] {
        try messages("customer = ? AND issue = ?", [sandbox, issue.company, issue.customer, issue.id], db)
    }

    private static func messages(_ condition: String, _ arguments: Bindings, _ db: Database) throws -> [IssueMessage] {
        try db.rows("SELECT * FROM asapp_message WHERE sandbox = ? AND company = ? AND \(condition) ORDER BY number", arguments)
            .map { row in
                IssueMessage(
                    company: row["company"], customer: row["customer"], number: row["number"], id: row["id"], issue: row["issue"],
                    sequence: row["sequence"], author: IssueMessage.Author(rawValue: row["author"]) ?? .system, name: row["name"],
                    clientId: row["client_id"], text: row["text"], said: row["said_at"])
            }
    }
}
