import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tag "Sockets".
extension AdminAPI {
    func listSockets(_ sandbox: Sandbox) -> Answer { Answer("sockets", ["sockets": .array(sandbox.openSockets.map(\.json))]) }

    /// Ends a socket as a fault does: what goes out before it goes out first.
    func endSocket(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let number = call.number(path: "socket")
        guard let socket = sandbox.sockets[number] else {
            throw AdminProblem(
                "socket-unknown", "sandbox '\(sandbox.id)' has no open socket \(number)",
                nearest: sandbox.openSockets.prefix(5).map { String($0.number) })
        }
        let how = try how(call)
        let occasion = Occasion(call.operation.qualifiedName, of: socket)
        occasion.outbox.end(socket, how, cause: "asked for over the admin API")
        // A recording tells by it what a tester did from what a vendor does.
        var origin = occasion.origin
        origin.operation = call.operation.qualifiedName
        try await sandbox.write(sending: occasion.outbox, causedBy: origin) { db in
            try call.alongside?(db)
            try sandbox.journal.requireSandbox()
        }
        sandbox.journal.committed()
        return Answer("socket-ended")
    }

    private func how(_ call: AdminCall) throws(ConfigurationError) -> Fault.Ending.How {
        let (code, reason) = (call.body["code"]?.integer(in: 1000...4999), call.body["reason"]?.string)
        let word = call.body["how"]?.string
        guard word != "close" else { return .close(code: UInt16(code ?? 1000), reason: reason ?? "") }
        // A socket that is aborted or frozen sends no close frame.
        for (name, isGiven) in [("code", code != nil), ("reason", reason != nil)] where isGiven {
            throw ConfigurationError([name], "only 'close' has a \(name)")
        }
        return word == "freeze" ? .freeze : .abort
    }
}

extension Socket {
    fileprivate var json: JSON {
        .members([
            "number": .integer(Int64(number)), "vendor": .string(tenant.vendor), "channel": .string(channel.name),
            "operation": .string(channel.opener.qualifiedName), "lane": .string(lane), "frozen": .bool(isFrozen),
            "lastTraffic": .string(lastTraffic.description),
        ])
    }
}
