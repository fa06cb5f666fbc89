import Testing

/// CXone's customers in the middle of writing, and a server that dies of SIGKILL again and again.
@Suite(.fewAtATime) struct ChatCrashTests {
    @Test(arguments: [(customers: 3, devices: 1), (3, 2)])
    func `each kill -9 leaves every acknowledged message in its thread once, in order`(customers: Int, devices: Int) async throws {
        try await Lives.play([200, 1, 57, 300]) { server in
            let brand = try await ChatTalker.prepare(server)
            return (0..<customers).map { ChatTalker($0, devices: devices, brand: brand) }
        }
    }
}
