import Foundation
import SparringJSON

/// One session of the Model Context Protocol on the transport stdio: JSON-RPC 2.0, one message a line.
actor MCPSession {
    private let bench: Workbench
    private let tools: [MCPTool]
    /// Requests that are not answered yet, by their ids.
    private var open: [JSON: Task<Void, Never>] = [:]

    private static let methods = ["initialize", "ping", "server/discover", "tools/call", "tools/list"]
    private static let instructions = """
        Sparring stands in for the backends of messaging clients (LivePerson, NICE CXone, Khoros, ASAPP, Talkdesk, the brand's identity provider), \
        injects faults and judges the client. To test a client: choose a scenario (list_scenarios), make a sandbox of it (create_sandbox), run \
        the client with the environment variables that create_sandbox returns, then ask for the verdict (get_verdict). Without a scenario, arm \
        faults yourself (list_effects, plan_chaos, arm_fault). read_journal shows each call with the reason for its answer; with unplaced it shows \
        calls that matched nothing, usually because the client has a wrong address or id. Tools act on the sandbox made last unless sandbox names another.
        """

    init(_ bench: Workbench, _ tools: [MCPTool]) { (self.bench, self.tools) = (bench, tools) }

    /// Returns when the input has ended and all requests are answered, or at once when the task is cancelled.
    func run(_ lines: AsyncStream<[UInt8]>) async {
        for await line in lines where !line.allSatisfy({ " \t\r".utf8.contains($0) }) { take(line) }
        if Task.isCancelled { for call in open.values { call.cancel() } }
        while let call = open.values.first { await call.value }
    }

    private func take(_ line: [UInt8]) {
        if line.count > StandardInput.longestLine {
            return write(
                JSONRPCError(.invalidRequest, "the line is longer than \(StandardInput.longestLine >> 20) MiB").response(to: .null))
        }
        let message: JSONRPCMessage
        do throws(JSONRPCError) { message = try JSONRPCMessage(parsing: line) } catch { return write(error.response(to: error.id)) }
        switch message {
        case .request(let id, let method, let params):
            guard open[id] == nil else {
                return write(JSONRPCError(.invalidRequest, "a request with this id is not answered yet").response(to: id))
            }
            open[id] = Task {
                let response = await response(to: id, method, params)
                open[id] = nil
                // A request that was cancelled gets no answer.
                if !Task.isCancelled { write(response) }
            }
        case .notification("notifications/cancelled", let params):
            if let id = params["requestId"] { open[id]?.cancel() }
        case .notification, .response: break
        }
    }

    private func response(to id: JSON, _ method: String, _ params: JSON) async -> JSON {
        do throws(JSONRPCError) {
            return ["jsonrpc": "2.0", "id": id, "result": try await result(method, params)]
        } catch { return error.response(to: id) }
    }

    private func result(_ method: String, _ params: JSON) async throws(JSONRPCError) -> JSON {
        let revision = try MCPRevision(of: params)
        switch method {
        case "initialize":
            return [
                "protocolVersion": .string(MCPRevision.agreement(on: params["protocolVersion"]?.string)), "capabilities": Self.capabilities,
                "serverInfo": Self.serverInfo, "instructions": .string(Self.instructions),
            ]
        case "server/discover":
            let discovered: JSON = [
                "supportedVersions": .array(MCPRevision.nameable.map { .string($0) }), "capabilities": Self.capabilities,
                "instructions": .string(Self.instructions), "_meta": ["io.modelcontextprotocol/serverInfo": Self.serverInfo],
            ]
            return MCPRevision.named.result(discovered, lasts: true)
        case "ping": return revision.result([:])
        case "tools/list": return revision.result(["tools": .array(tools.map(\.json))], lasts: true)
        case "tools/call": return revision.result(try await call(params))
        default:
            throw JSONRPCError(
                .methodNotFound, "there is no method '\(method)' here; there are \(Self.methods.joined(separator: ", "))")
        }
    }

    private func call(_ params: JSON) async throws(JSONRPCError) -> JSON {
        guard let name = params["name"]?.string else { throw JSONRPCError(.invalidParams, "'name' must be the name of a tool") }
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw JSONRPCError(.invalidParams, "there is no tool '\(name)'" + Nearest.hint(for: name, in: tools.map(\.name)))
        }
        let arguments = params["arguments"] ?? [:]
        guard arguments.object != nil else {
            throw JSONRPCError(.invalidParams, "'arguments' must be an object, not \(arguments.typeName)")
        }
        // What is wrong with a call is the tool's own result, so that the model can read it and do better.
        do {
            let answer = try await ToolCall(tool, arguments, bench).answer()
            return ["content": [["type": "text", "text": .string(answer.text)]], "structuredContent": answer.content, "isError": false]
        } catch {
            let reason =
                (error as? CommandFailure).map { $0.json.flatMap { CommandFailure(problem: $0, place: \.words) } ?? $0 }?.text ?? "\(error)"
            return ["content": [["type": "text", "text": .string(reason)]], "isError": true]
        }
    }

    /// Standard output has nothing else.
    private func write(_ message: JSON) {
        // A client that has gone has closed standard input too.
        try? FileHandle.standardOutput.write(contentsOf: Data((message.text + "\n").utf8))
    }

    private static let capabilities: JSON = ["tools": [:]]
    private static let serverInfo: JSON = [
        "name": "sparring", "title": "Sparring, a mock vendor backend", "version": .string(sparringVersion),
    ]
}
