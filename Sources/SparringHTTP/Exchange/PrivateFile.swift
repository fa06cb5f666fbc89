internal import CMicrohttpd
import Glibc
import SparringLocks
import SystemPackage

/// A file without a name, which nobody else can open and which goes with this value. Its bytes count among those of ``BodyLimits`` until then.
final class PrivateFile: Sendable {
    private let file: FileDescriptor
    private let limits: BodyLimits
    private let state = Mutex((count: 0, admitted: 0))

    /// - Returns: nil where no file can be made.
    init?(_ limits: BodyLimits) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let descriptor = sparring_open_private(folder)
        guard descriptor >= 0 else { return nil }
        file = FileDescriptor(rawValue: descriptor)
        self.limits = limits
    }

    deinit {
        try? file.close()
        limits.drop(state.withLock { $0.admitted })
    }

    /// Writes all of the bytes behind those that are there; they must have been admitted, and count until the file goes.
    ///
    /// - Returns: false where the system does not take them; then the file has what it had.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            state.admitted += bytes.count
            guard (try? file.writeAll(toAbsoluteOffset: Int64(state.count), bytes)) != nil else { return false }
            state.count += bytes.count
            return true
        }
    }

    /// Its first bytes; fewer where the system does not give them.
    func read(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let result = pread(file.rawValue, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return }
                filled += result
            }
        }
    }
}
