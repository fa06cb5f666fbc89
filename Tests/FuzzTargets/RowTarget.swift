import Foundation
import GRDB
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringVerdict

/// A database with values that somebody has changed: a server begins on it, or says what is wrong with which file; what began also answers.
enum RowTarget {
    static func run(_ bytes: [UInt8]) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-rows-\(getpid())-\(UUID()).db").path
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) } }
        try Data(template.get()).write(to: URL(fileURLWithPath: file))
        let changes = try edit(file, bytes)
        do {
            try judge(file)
            try begin(on: file)
        } catch let failure as FuzzFailure {
            throw FuzzFailure(failure.description + "\nafter:\n" + changes.joined(separator: "\n"))
        }
    }

    // MARK: Editing

    /// One value of one row.
    fileprivate struct Change {
        var table: String
        var column: String
        var row: Int
        var value: DatabaseValue

        var line: String {
            let shown: JSON =
                switch value.storage {
                case .null: .null
                case .int64(let number): .integer(number)
                case .double(let number): .number(number)
                case .string(let text): .string(text)
                case .blob(let data): .string(String(decoding: data, as: UTF8.self))
                }
            return JSON.members(["table": .string(table), "column": .string(column), "row": .integer(Int64(row)), "value": shown]).text
        }
    }

    /// - Returns: what was changed, each as a line of a script.
    private static func edit(_ file: String, _ bytes: [UInt8]) throws -> [String] {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            var lines: [String] = []
            if Step.isScript(bytes) {
                for line in bytes.split(separator: UInt8(ascii: "\n")) {
                    guard let json = try? JSON(parsing: line), let change = Change(json) else { continue }
                    if try apply(change, db) { lines.append(change.line) }
                }
            } else {
                var choices = Choices(bytes)
                for _ in 0...choices.below(6) {
                    guard let change = try change(&choices, db) else { continue }
                    if try apply(change, db) { lines.append(change.line) }
                }
            }
            return lines
        }
    }

    private static func change(_ choices: inout Choices, _ db: Database) throws -> Change? {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        let table = choices.pick(tables)
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)") ?? 0
        guard count > 0, !columns.isEmpty else { return nil }
        let (column, row) = (choices.pick(columns), choices.below(count))
        let old = try Row.fetchOne(
            db, sql: "SELECT \(column.quotedDatabaseIdentifier) FROM \(table.quotedDatabaseIdentifier) LIMIT 1 OFFSET ?", arguments: [row])
        return Change(table: table, column: column, row: row, value: value(old?[0] ?? .null, &choices))
    }

    /// The value that takes the old one's place.
    private static func value(_ old: DatabaseValue, _ choices: inout Choices) -> DatabaseValue {
        let text: String? =
            switch old.storage {
            case .string(let text): text
            case .blob(let data): String(decoding: data, as: UTF8.self)
            default: nil
            }
        if let json = text.flatMap({ try? JSON(parsing: $0) }), choices.chance(200) {
            let changed = Mutation.mutated(json, &choices) { _ in nil }.text
            if case .blob = old.storage { return Data(changed.utf8).databaseValue }
            return changed.databaseValue
        }
        switch choices.below(6) {
        case 0, 1: return choices.pick(Values.integers).databaseValue
        case 2: return choices.pick(Values.doubles).databaseValue
        case 3: return Values.text(&choices).databaseValue
        case 4: return Data(choices.bytes(choices.below(40))).databaseValue
        default: return .null
        }
    }

    /// - Returns: false where the table does not take it.
    private static func apply(_ change: Change, _ db: Database) throws -> Bool {
        let table = change.table.quotedDatabaseIdentifier
        guard let columns = try? String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [change.table]),
            columns.contains(change.column),
            let row = try Row.fetchOne(db, sql: "SELECT * FROM \(table) LIMIT 1 OFFSET ?", arguments: [change.row])
        else { return false }
        let condition = columns.map { "\($0.quotedDatabaseIdentifier) IS ?" }.joined(separator: " AND ")
        let arguments = [change.value] + columns.map { row[$0] as DatabaseValue }
        do {
            try db.execute(
                sql: "UPDATE \(table) SET \(change.column.quotedDatabaseIdentifier) = ? WHERE \(condition)",
                arguments: StatementArguments(arguments.map { $0 as (any DatabaseValueConvertible)? }))
            return true
        } catch { return false }
    }

    // MARK: Beginning

    /// An error is of use only where it names its file.
    private static func expectNamed(_ error: any Error, _ file: String) throws {
        guard "\(error)".contains(file) else { throw FuzzFailure("an error without the file's name: \(error)") }
    }

    private static func begin(on file: String) throws {
        let server: Server
        do { server = try Stage.server(database: file) } catch { return try expectNamed(error, file) }
        let (stage, engine) = (Stage(server), server.engine)
        /// Whatever it says: an error is an answer too, where the file is what is wrong.
        func send(_ method: String, _ target: String, _ body: [UInt8] = []) {
            _ = stage.send(method, target, body.isEmpty ? [] : [("Content-Type", "application/json")], body).wait(2000)
        }
        send("GET", "/__admin/sandboxes")
        for sandbox in engine.world.sandboxes.prefix(3) {
            let path = "/__admin/sandboxes/\(sandbox.id)"
            for part in ["", "/journal", "/faults", "/clock", "/consumers", "/devices", "/conversations", "/devices/phone-1/notifications"]
            {
                send("GET", path + part)
            }
            send("POST", path + "/clock/advance", Array(#"{"by":"2h"}"#.utf8))
            send("POST", path + "/verdicts", Array("{}".utf8))
            send("POST", path + "/journal/marks", Array(#"{"mark":"still there"}"#.utf8))
        }
        for step in Step.script(afterwards) {
            if case .call(let method, let target, _, let body) = step { send(method, target, body) }
        }
        try blocking("the end of a server on \(file)") { try await engine.stop(grace: .milliseconds(10)) }
    }

    /// Calls of those who were there before.
    private static let afterwards = Array(
        #"""
        {"call":"GET /api/account/acme/service/idp/baseURI.json?version=1.0"}
        {"call":"POST /__admin/sandboxes/default/credentials","body":{"form":"jwt","subject":"ada"}}
        {"call":"POST /__admin/sandboxes/default/liveperson/agent/say","body":{"consumer":"ada","text":"Hello"}}
        {"call":"GET /__admin/unplaced"}
        {"call":"POST /__admin/sandboxes/default/reset"}
        {"call":"DELETE /__admin/sandboxes/default"}
        """#.utf8)

    private static let behaviours = Result {
        try Behaviours(
            folder: FuzzHome.folder("contracts"), contracts: Stage.contracts.filter { $0.vendor != "admin" }, effects: FaultVocabulary.words
        )
    }

    /// Judges the file the way `sparring verify --database` does. An error need not name the one file that it was given.
    private static func judge(_ file: String) throws {
        let rules = try behaviours.get()
        guard let saved = try? SavedDatabase(path: file) else { return }
        for sandbox in (try? saved.sandboxes) ?? [] { _ = try? saved.judge(sandbox, VerdictRequest(), rules) }
    }

    // MARK: What is edited

    /// A database in which much has happened, as the file that a server left. Made once.
    private static let template = Result { () throws -> Data in
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-template-\(getpid()).db").path
        defer { for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) } }
        let server = try Stage.server(database: file)
        let engine = server.engine
        _ = try blocking("a sandbox's creation") { try await engine.world.create(Stage.request()) }
        _ = try blocking("another's creation") { try await engine.world.create(Stage.request("second", prefix: "second-")) }
        let play = try Play(Stage(server))
        let script = try [UInt8](Data(contentsOf: URL(fileURLWithPath: FuzzHome.folder("fixtures/fuzz/template.jsonl"))))
        for step in Step.script(script) { try play.perform(step) }
        for socket in play.sockets { socket.leave(1000) }
        try blocking("the end") { try await engine.stop(grace: .milliseconds(100)) }
        return try Data(contentsOf: URL(fileURLWithPath: file))
    }
}

extension RowTarget.Change {
    init?(_ json: JSON) {
        guard let table = json["table"]?.string, let column = json["column"]?.string else { return nil }
        self.table = table
        self.column = column
        row = json["row"]?.integer.map { Int(clamping: max(0, $0)) } ?? 0
        value =
            switch json["value"] ?? .null {
            case .integer(let number): number.databaseValue
            case .number(let number): number.databaseValue
            case .string(let text): text.databaseValue
            case .bool(let flag): flag.databaseValue
            case .null: .null
            case let other: other.text.databaseValue
            }
    }
}
