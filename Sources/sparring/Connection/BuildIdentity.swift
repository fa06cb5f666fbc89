import Foundation
import SparringJSON

/// Tells this build of the program from all others.
enum BuildIdentity {
    /// `PT_NOTE` and `NT_GNU_BUILD_ID` (elf(5)).
    private static let (noteSegment, buildID) = (UInt64(4), UInt64(3))

    /// The linker's build id (elf(5), `NT_GNU_BUILD_ID`) and the size of the program's file; nil where it was linked without an id, as in a checkout.
    static let current: String? = {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/exe")) else { return nil }
        defer { try? file.close() }
        func read(_ count: UInt64, at offset: UInt64) -> Data {
            guard count < 1 << 20, (try? file.seek(toOffset: offset)) != nil else { return Data() }
            return (try? file.read(upToCount: Int(count))) ?? Data()
        }
        let header = ELFBytes(read(64, at: 0))
        let (start, size, count) = (header.number(8, at: 32), header.number(2, at: 54), header.number(2, at: 56))
        let programs = ELFBytes(read(size * count, at: start))
        for index in 0..<count where programs.number(4, at: index * size) == Self.noteSegment {
            let notes = ELFBytes(read(programs.number(8, at: index * size + 32), at: programs.number(8, at: index * size + 8)))
            guard let id = notes.note(ofOwner: "GNU\0", type: Self.buildID) else { continue }
            let length = (try? file.seekToEnd()) ?? 0
            return id.hex + "-\(length)"
        }
        return nil
    }()
}

/// Little-endian numbers of a program's file; what lies beyond its end is 0.
private struct ELFBytes {
    private let bytes: [UInt8]

    init(_ data: Data) { bytes = Array(data) }

    func number(_ size: Int, at offset: UInt64) -> UInt64 {
        let start = Int(clamping: offset)
        guard start <= bytes.count - size else { return 0 }
        return bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func note(ofOwner owner: String, type: UInt64) -> ArraySlice<UInt8>? {
        var offset = 0
        while offset + 12 <= bytes.count {
            let (nameSize, size) = (Int(number(4, at: UInt64(offset))), Int(number(4, at: UInt64(offset + 4))))
            let name = offset + 12
            let begin = name + (nameSize + 3) / 4 * 4
            guard begin + size <= bytes.count else { return nil }
            if number(4, at: UInt64(offset + 8)) == type, Array(bytes[name..<name + nameSize]) == Array(owner.utf8) {
                return bytes[begin..<begin + size]
            }
            offset = begin + (size + 3) / 4 * 4
        }
        return nil
    }
}
