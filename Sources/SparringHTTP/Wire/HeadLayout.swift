internal import CMicrohttpd
import Glibc

/// Whether a head's lines follow one another in memory as they came over the wire.
///
/// libmicrohttpd 0.9.75 hands out names and values as C strings that stand where the client's bytes did, with NUL for each colon, CR and LF. So it
/// takes a NUL that the client sent for the end of a value, or at the beginning of a line for the end of the head, and whatever follows it up to the
/// line's end vanishes: `Content-Length: 0\0…`. A line that goes on in the next one (obs-fold) it copies, and lengthens its *name* by the second
/// line, so that a Content-Length vanishes likewise. Both leave a gap, or a name behind its value. What leaves none is a NUL before a bare LF: it is
/// taken for the CR whose place it has.
struct HeadLayout {
    /// Other versions leave other bytes, and look at these themselves.
    static let isKnown = String(cString: MHD_get_version()) == "0.9.75"

    private(set) var defect: String?
    private var start: UInt = 0
    /// Behind the last byte of the line before.
    private var lineEnd: UInt = 0

    private static let hasNUL = "a line of the head holds NUL (RFC 9110 §5.5)"

    /// - Parameter targetLength: up to the first NUL.
    mutating func requestLine(
        _ method: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>, targetLength: Int
    ) {
        start = UInt(bitPattern: method)
        lineEnd = UInt(bitPattern: version) + 8  // HTTP/1.1
        if UInt(bitPattern: version) != UInt(bitPattern: target) + UInt(targetLength) + 1 { defect = Self.hasNUL }
        // One NUL for the space behind the method; libmicrohttpd skips further spaces.
        let end = strlen(method) + 1
        let gap = UnsafeRawBufferPointer(start: method + end, count: max(0, target - method - end))
        if !gap.allSatisfy({ $0 == UInt8(ascii: " ") }) { defect = Self.hasNUL }
    }

    mutating func field(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let (nameStart, valueStart) = (UInt(bitPattern: name.baseAddress), UInt(bitPattern: value.baseAddress))
        let nameEnd = nameStart + UInt(name.count)
        if valueStart <= nameEnd || nameStart < lineEnd {
            defect = defect ?? "a header field goes on in a second line (RFC 9112 §5.2)"
            return
        }
        if !(1...2).contains(nameStart - lineEnd) { defect = defect ?? Self.hasNUL }
        lineEnd = valueStart + UInt(value.count)
    }

    /// - Parameter size: the head's, up to and with its empty line.
    mutating func end(_ size: Int) {
        // Two lines end there, each with CRLF or LF.
        let end = start + UInt(size)
        if end < lineEnd || !(2...4).contains(end - lineEnd) { defect = defect ?? Self.hasNUL }
    }
}
