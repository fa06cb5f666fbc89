import Foundation
import SparringJSON
import SparringJournal
import SparringLocks

/// Unwritten calls and events, by sandbox, until the journal has them: in memory and, if possible, in a file beside the database.
package final class UnrecordedCalls: Sendable {
    private struct State {
        var calls: [String: Unrecorded] = [:]
        /// Since the start, whatever has been written since.
        var total = 0
        /// The file, once something had to be written to it.
        var descriptor: Int32?
    }

    /// Nil for a database that goes with the process.
    private let path: String?
    private let state: Mutex<State>

    /// Takes up what an earlier process could not write.
    ///
    /// - Parameter database: the database's file; nil for one that goes with the process.
    init(beside database: String?) {
        path = database.map { Self.path(beside: $0) }
        var state = State()
        if let database { state.calls = Self.read(beside: database) }
        self.state = Mutex(state)
    }

    deinit { if let descriptor = state.withLock({ $0.descriptor }) { close(descriptor) } }

    /// The number of unrecorded calls and events of all sandboxes, since the start.
    package var total: Int { state.withLock { $0.total } }

    /// The unrecorded calls and events of a sandbox; nil: its journal has everything.
    package func of(_ sandbox: String) -> Unrecorded? { state.withLock { $0.calls[sandbox] } }

    /// Forgets what concerns none of these sandboxes, which are all that there are.
    func keepOnly(_ sandboxes: [String]) {
        state.withLock { state in
            let everyones = state.calls[Self.everyone]
            let calls = state.calls
            state.calls = sandboxes.reduce(into: [:]) { $0[$1] = calls[$1] ?? everyones }
            if state.calls != calls { keep(&state) }
        }
    }

    func add(_ unrecorded: Unrecorded, of sandbox: String) {
        state.withLock { state in
            state.total = state.total.addingClamped(unrecorded.count)
            state.calls[sandbox] = state.calls[sandbox]?.adding(unrecorded) ?? unrecorded
            keep(&state)
        }
    }

    /// They are in the sandbox's journal, or the sandbox is gone.
    func settle(_ sandbox: String, _ recorded: Unrecorded?) {
        state.withLock { state in
            guard let calls = state.calls[sandbox] else { return }
            state.calls[sandbox] = recorded.flatMap { calls.without($0) }
            keep(&state)
        }
    }

    // MARK: The file

    /// The key under which a file that cannot be read is noted: it counts for every sandbox.
    private static let everyone = ""

    static func path(beside database: String) -> String { database + "-unrecorded" }

    /// The contents of the file beside a database, by sandbox; empty where there is none.
    static func read(beside database: String) -> [String: Unrecorded] {
        let path = path(beside: database)
        guard let bytes = FileManager.default.contents(atPath: path) else { return [:] }
        guard let sandboxes = (try? JSON(parsing: bytes))?["sandboxes"]?.object else {
            return [everyone: Unrecorded("\(path) cannot be read", at: Timestamp.now)]
        }
        return sandboxes.reduce(into: [:]) { calls, member in calls[member.key] = Unrecorded(member.value) }
    }

    /// In place: on a full disk what lies there can be overwritten, while a new file could not be made.
    private func keep(_ state: inout State) {
        guard let path else { return }
        if state.calls.isEmpty {
            if let descriptor = state.descriptor.take() { close(descriptor) }
            unlink(path)
            return
        }
        let descriptor = state.descriptor ?? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        state.descriptor = descriptor
        let sandboxes = state.calls.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        let bytes = (["sandboxes": .object(JSON.Object(uniqueKeysWithValues: sandboxes))] as JSON).bytes
        // Otherwise it is in memory only.
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { ftruncate(descriptor, off_t(bytes.count)) }
    }
}
