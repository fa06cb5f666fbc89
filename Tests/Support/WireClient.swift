/// A client that sends exactly the bytes it is given and tells how the TCP connection ended: for tests that look at the wire.
public protocol WireClient: AnyObject, Sendable {
    /// Sends all of it. A peer that has gone shows when reading.
    func write(_ bytes: [UInt8]) async

    /// Collects what comes until `isEnough`, the end of the connection or the deadline. What was read stays for the next call, unless it is
    /// taken with ``take(_:)``.
    func read(within limit: Duration, until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> (bytes: [UInt8], end: RawClient.End)

    /// Forgets the first bytes that were read.
    func take(_ count: Int)

    /// Neither side has closed the TCP connection.
    var isUp: Bool { get }

    /// Closes with a FIN.
    func close()

    /// Closes with an RST instead of a FIN.
    func reset()
}

extension WireClient {
    public func write(_ text: String) async { await write(Array(text.utf8)) }

    /// Until the end of the connection.
    public func read(within limit: Duration = patience) async -> (bytes: [UInt8], end: RawClient.End) {
        await read(within: limit) { _ in false }
    }

    /// Until so many bytes have come.
    public func read(_ count: Int) async -> (bytes: [UInt8], end: RawClient.End) {
        await read(within: patience) { $0.count >= count }
    }

    /// Reads one whole answer and leaves what follows it.
    ///
    /// - Parameter isHead: the answer is one to HEAD, which has no body whatever its headers say.
    public func answer(toHead isHead: Bool = false, within limit: Duration = patience) async throws -> RawAnswer {
        let (bytes, end) = await read(within: limit) { RawAnswer(parsing: $0, isHead: isHead, isWhole: false) != nil }
        guard let (answer, length) = RawAnswer.parse(bytes, isHead: isHead, isWhole: end == .closed) else {
            throw RawClient.Failed(description: "\(end) after \(bytes.count) bytes: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        take(length)
        return answer
    }
}
