import ArgumentParser
import Foundation
import UnixSignals

/// `sparring mcp`
struct MCPCommand: LocalCommand {
    static let abstract = "Give an AI assistant Sparring's tools, over standard input and output."
    static let discussion = """
        Speaks the Model Context Protocol (transport stdio). Starts a server on free ports, or uses the one that --url names. The assistant \
        can then list scenarios, make sandboxes, plan and arm faults, advance time, read the journal and get a verdict. Its \
        configuration names this command:

          {"mcpServers": {"sparring": {"command": "sparring", "args": ["mcp"]}}}

        When the session ends, the sandboxes that it made are deleted, unless --keep or --database is given.
        """

    @OptionGroup(title: "Server") var place: RunPlaceOptions

    func perform() async throws {
        signal(SIGPIPE, SIG_IGN)
        let tools = try MCPTool.all(in: Resources.locate().contracts)
        let server = try await RunServer(try place.place(isStrict: false))
        let bench = Workbench(server, adminToken: place.token, keeps: place.keep || place.database != nil)
        let session = MCPSession(bench, tools)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await session.run(StandardInput.lines()) }
            group.addTask { for await _ in signals { break } }
            await group.next()
            group.cancelAll()
        }
        await bench.close()
        try await server.stop()
    }
}
