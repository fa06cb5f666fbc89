import HTTPTypes
import SparringHTTP
import SparringJournal
import SparringSandbox

/// How a disturbed answer goes on the wire.
extension Disturbance {
    /// The answer as the faults change it.
    func altered(_ response: Response) -> Response {
        alterations.reduce(response) { response, alteration in
            var response = response
            guard case .bytes(let bytes) = response.body else { return response }
            switch alteration {
            case .malformedJSON: response.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
            case .wrongContentType(let type): response.headers[.contentType] = type
            case .emptyBody: response.body = .bytes([])
            }
            return response
        }
    }

    /// - Parameters:
    ///   - response: nil where nothing was decided.
    ///   - pause: lets sandbox time pass within the answer.
    func delivery(_ response: Response?, pause: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) -> Delivery {
        if let cut, cut.isBefore || response == nil { return bare(cut) }
        guard let response else { return .empty }
        var transmission = Transmission()
        if let delay = delays[.onResponseBody] { transmission.pauses = [Transmission.Pause(after: nil) { pause(delay, $0) }] }
        switch pace {
        case .slices(let size, let gap): transmission.pace = .slices(size: size, gap: gap)
        case .bandwidth(let rate): transmission.pace = .bandwidth(bytesPerSecond: rate)
        case nil: break
        }
        if let cut {
            switch (cut.how, cut.phase) {
            case (_, .onResponseStart): return bare(cut)
            case (.reset, .onResponseEnd): transmission.cut = (.reset, .end)
            case (.reset, _): transmission.cut = (.reset, .body(after: nil))
            case (.malformedChunk, _): transmission.cut = (.malformedChunk, .body(after: nil))
            case (.stall, _): transmission.cut = (.stall, .body(after: nil))
            case (.truncate(let bytes), _): transmission.cut = (.close, .body(after: bytes))
            case (.disconnectAtEnd, _): transmission.cut = (.close, .end)
            case (.emptyResponse, _), (.randomData, _): return bare(cut)
            }
        }
        let isPlain = transmission.cut == nil && transmission.pace == nil && transmission.pauses.isEmpty
        return isPlain ? .answer(response) : .disturbed(response, transmission)
    }

    /// Without a byte of an answer.
    private func bare(_ cut: Cut) -> Delivery {
        switch cut.how {
        case .reset: .reset
        case .stall: .stall
        case .randomData(let count): .raw(Self.randomBytes(count, cut.strike))
        case .malformedChunk:
            .raw(Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + Self.noChunk)
        case .emptyResponse, .truncate, .disconnectAtEnd: .empty
        }
    }

    /// No hexadecimal length stands where one must (RFC 9112 §7.1).
    private static let noChunk = Array("this is no chunk\r\n".utf8)

    /// Drawn, so that a client sees the same ones again.
    private static func randomBytes(_ count: Int, _ strike: FaultTable.Strike) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += strike.draw("bytes \(bytes.count)").bytes }
        return Array(bytes.prefix(count))
    }
}
