import Glibc
import SparringContract
import SparringJSON
import SparringTokens

extension FuzzTarget {
    /// Microseconds of processor time that 64 KiB may take to read, and bytes of them.
    private static let (most, long) = (20_000, 64 << 10)
    /// Beneath this, a clock's grain and a page fault tell more than the reader does.
    private static let little = 2_000

    /// Reads the input, repeated until it is long: it must not take longer than reading does, nor grow faster than what is read.
    ///
    /// - Throws: ``FuzzFailure`` where it does, three times out of three.
    public func checkTime(_ bytes: [UInt8]) throws {
        guard let read = reader, !bytes.isEmpty else { return }
        for repeated in [Self.repeated(bytes[...], Self.long), Self.headed(bytes)] {
            var spent: [(long: Int, half: Int)] = []
            for _ in 0..<3 {
                let long = Self.microseconds { read(repeated) }
                if long <= Self.little { break }
                let half = Self.microseconds { read(Array(repeated.prefix(Self.long / 2))) }
                if long <= Self.most, long <= 4 * max(half, Self.little / 2) { break }
                spent.append((long, half))
            }
            if spent.count == 3 { throw FuzzFailure("64 KiB took \(spent.map(\.long)) µs, the first half of them \(spent.map(\.half)) µs") }
        }
    }

    /// The part that reads clients' bytes and does no more; nil: the target's inputs are decisions, or go over a connection.
    private var reader: (([UInt8]) -> Void)? {
        switch self {
        case .json: { bytes in _ = try? JSON(parsing: bytes) }
        case .form:
            { bytes in
                _ = PercentCoding.fields(Substring(String(decoding: bytes, as: UTF8.self)))
                let (boundary, body) = FormTarget.split(bytes)
                _ = try? MultipartForm(body, contentType: "multipart/form-data; boundary=\"\(boundary)\"")
            }
        case .token:
            { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                _ = (Base64.decode(text), Base64URL.decode(text), try? JWS(parsing: text))
            }
        case .head, .request, .message, .yaml, .row: nil
        }
    }

    private static func repeated(_ bytes: ArraySlice<UInt8>, _ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(count + bytes.count)
        while all.count < count { all += bytes }
        return Array(all.prefix(count))
    }

    /// Its first line once, the rest again and again.
    private static func headed(_ bytes: [UInt8]) -> [UInt8] {
        let line = bytes.prefix { $0 != 0x0A }
        let rest = bytes.dropFirst(line.count + 1)
        return rest.isEmpty ? bytes : Array(line) + [0x0A] + repeated(rest, long - line.count - 1)
    }

    /// The CPU time that this thread spends on the work, whatever else the machine does meanwhile.
    private static func microseconds(_ work: () -> Void) -> Int {
        func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
        }
        let start = now()
        work()
        return now() - start
    }
}
