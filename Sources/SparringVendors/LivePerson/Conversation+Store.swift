import GRDB
import SparringJSON
import SparringJournal

/// Writing conversations and their events.
extension Conversation {
    /// Writes the whole of it. Dialogs keep their running sequence.
    func store(sandbox: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO liveperson_conversation
                  (sandbox, account, id, consumer, state, stage, skill, ttr, context, campaign, engagement, is_first, started, updated,
                   ended, close_reason, csat)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            sandbox, account, id, consumer, state, stage, skill, ttr.text, context?.text, campaign, engagement, isFirst,
            started.milliseconds, updated.milliseconds, ended?.milliseconds, closeReason, csat?.text,
        ])
        for dialog in dialogs {
            try db.cachedStatement(
                sql: """
                    INSERT INTO liveperson_dialog (sandbox, id, conversation, type, state, started, ended, closed_by, closed_cause, next_sequence)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
                    ON CONFLICT DO UPDATE SET state = excluded.state, ended = excluded.ended, closed_by = excluded.closed_by,
                      closed_cause = excluded.closed_cause
                    """
            ).execute(arguments: [
                sandbox, dialog.id, id, dialog.type, dialog.state, dialog.started.milliseconds, dialog.ended?.milliseconds,
                dialog.closedBy, dialog.closedCause,
            ])
            try db.cachedStatement(sql: "DELETE FROM liveperson_participant WHERE sandbox = ? AND dialog = ?")
                .execute(arguments: [sandbox, dialog.id])
            for (position, participant) in dialog.participants.enumerated() {
                try db.cachedStatement(
                    sql: "INSERT INTO liveperson_participant (sandbox, dialog, position, id, role) VALUES (?, ?, ?, ?, ?)"
                ).execute(arguments: [sandbox, dialog.id, position, participant.id, participant.role])
            }
        }
    }

    /// The next sequence number of a dialog (reference 5.11: the first is 0), spent.
    static func takeSequence(dialog: String, sandbox: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql:
                    "UPDATE liveperson_dialog SET next_sequence = next_sequence + 1 WHERE sandbox = ? AND id = ? RETURNING next_sequence - 1"
            ),
            arguments: [sandbox, dialog]) ?? 0
    }

    static func keep(_ change: JSON, sequence: Int, dialog: String, sandbox: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO liveperson_event (sandbox, dialog, sequence, record) VALUES (?, ?, ?, ?)")
            .execute(arguments: [sandbox, dialog, sequence, change.text])
    }

    /// A dialog's events from a sequence on, in order, as they are notified.
    static func events(dialog: String, from sequence: Int, sandbox: String, _ db: Database) throws -> [JSON] {
        try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT record FROM liveperson_event WHERE sandbox = ? AND dialog = ? AND sequence >= ? ORDER BY sequence"),
            arguments: [sandbox, dialog, sequence]
        ).map { try JSON(parsing: $0) }
    }

    // MARK: Changes

    /// Closes one dialog; the main one closes the conversation's state, and the last one its stage.
    mutating func close(dialog id: String, by role: String, cause: String, at now: Timestamp) {
        guard let index = dialogs.firstIndex(where: { $0.id == id && $0.state == "OPEN" }) else { return }
        dialogs[index].state = "CLOSE"
        dialogs[index].ended = now
        dialogs[index].closedBy = role
        dialogs[index].closedCause = cause
        updated = now
        if dialogs[index].type == "MAIN" {
            state = "CLOSE"
            closeReason = role
        }
        if dialogs.allSatisfy({ $0.state == "CLOSE" }) {
            stage = "CLOSE"
            ended = now
        }
    }

    mutating func closeAll(by role: String, cause: String, at now: Timestamp) {
        for dialog in dialogs { close(dialog: dialog.id, by: role, cause: cause, at: now) }
    }
}
