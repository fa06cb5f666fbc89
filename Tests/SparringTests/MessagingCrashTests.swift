import Testing

/// Consumers of LivePerson in the middle of talking, and a server that dies of SIGKILL again and again.
@Suite(.fewAtATime) struct MessagingCrashTests {
    @Test(arguments: [(consumers: 1, devices: 1), (8, 1), (2, 3)])
    func `each kill -9 leaves every acknowledged message there once, in order, and the numbers go on`(
        consumers: Int, devices: Int
    ) async throws {
        try await Lives.play([300, 1, 57, 640]) { server in
            var talkers: [Talker] = []
            for number in 0..<consumers { talkers.append(try await Talker(number, devices: devices, at: server)) }
            return talkers
        }
    }
}
