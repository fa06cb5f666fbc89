import SparringHTTP
import SparringSandbox

/// How a disturbed answer goes on the wire.
extension Disturbance {
    /// The answer as the faults change it.
    func altered(_ response: Response) -> Response {
        guard case .bytes(var bytes) = response.body else { return response }
        var response = response
        for alteration in alterations { alteration.make(&response.headers, &bytes) }
        response.body = .bytes(bytes)
        return response
    }

    /// - Parameters:
    ///   - response: nil where nothing was decided.
    ///   - pause: lets sandbox time pass within the answer.
    func delivery(_ response: Response?, pause: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) -> Delivery {
        if let cut, cut.phase <= .onResponseStart || response == nil { return cut.how.delivery }
        guard let response else { return .empty }
        var transmission = Transmission()
        if let delay = delays[.onResponseBody] { transmission.pauses = [Transmission.Pause(after: nil) { pause(delay, $0) }] }
        switch pace?.pace {
        case .slices(let size, let gap): transmission.pace = .slices(size: size, gap: gap)
        case .bandwidth(let rate): transmission.pace = .bandwidth(bytesPerSecond: rate)
        case nil: break
        }
        if let cut {
            guard let how = cut.how.withinAnswer else { return cut.how.delivery }
            transmission.cut = (how, cut.phase == .onResponseEnd ? .end : .body(after: cut.after))
        }
        let isPlain = transmission.cut == nil && transmission.pace == nil && transmission.pauses.isEmpty
        return isPlain ? .answer(response) : .disturbed(response, transmission)
    }
}

extension Disturbance.Cut.How {
    /// Without a byte of an answer.
    fileprivate var delivery: Delivery {
        switch self {
        case .reset: .reset
        case .close: .empty
        case .stall: .stall
        // No hexadecimal length stands where one must (RFC 9112 §7.1).
        case .malformedChunk:
            .raw(Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nthis is no chunk\r\n".utf8))
        case .raw(let bytes): .raw(bytes)
        }
    }

    /// After a part of an answer, or all of it; nil: only without.
    fileprivate var withinAnswer: Transmission.Cut? {
        switch self {
        case .reset: .reset
        case .close: .close
        case .stall: .stall
        case .malformedChunk: .malformedChunk
        case .raw: nil
        }
    }
}
