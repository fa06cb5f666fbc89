import Foundation
import SparringEngine
import SparringJSON
import Support

/// Server-sent events as they come over a real connection (WHATWG HTML §9.2).
struct EventReader {
    struct Event: Equatable {
        var name: String
        var id: Int?
        var data: JSON
    }

    let client: RawClient

    init(_ server: TestServer, _ target: String, headers: String = "", receiveBuffer: Int32? = nil) throws {
        client = try RawClient(port: server.addresses.port, receiveBuffer: receiveBuffer)
        client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
    }

    /// All events so far, once they are enough; the connection may have ended before.
    func events(until isEnough: @escaping @Sendable ([Event]) -> Bool) async -> (events: [Event], end: RawClient.End) {
        let (bytes, end) = await client.read { isEnough(Self.events(in: $0)) }
        return (Self.events(in: bytes), end)
    }

    /// All events up to the entry of a number, of a stream that is too long to be read again with each piece.
    func events(through number: Int) async -> (events: [Event], end: RawClient.End) {
        let last = Array("\"number\":\(number),".utf8)
        let (bytes, end) = await client.read { bytes in
            // The end of an event is that of its last head.
            let tail = bytes.suffix(2_000)
            guard let start = tail.firstRange(of: last) else { return false }
            return tail[start.upperBound...].firstRange(of: Array("\n\n".utf8)) != nil
        }
        return (Self.events(in: bytes), end)
    }

    /// Chunks may end anywhere: their sizes stand on lines of their own between the events' bytes.
    private static func events(in bytes: [UInt8]) -> [Event] {
        guard let body = dechunked(bytes) else { return [] }
        return body.components(separatedBy: "\n\n").dropLast().compactMap { block in
            var (name, id, data): (String?, Int?, JSON?) = (nil, nil, nil)
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { id = Int(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data = try? JSON(parsing: String(line.dropFirst(6))) }
            }
            guard let name, let data else { return nil }
            return Event(name: name, id: id, data: data)
        }
    }

    /// RFC 9112 §7.1; the part of a chunk that is there counts. Nil before the head is through.
    private static func dechunked(_ bytes: [UInt8]) -> String? {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        var (rest, body): (ArraySlice<UInt8>, [UInt8]) = (bytes[head.upperBound...], [])
        while let line = rest.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: rest[rest.startIndex..<line.lowerBound], as: UTF8.self), radix: 16), size > 0
        {
            let content = rest[line.upperBound...]
            body += content.prefix(size)
            rest = content.dropFirst(size + 2)
        }
        return String(decoding: body, as: UTF8.self)
    }
}
