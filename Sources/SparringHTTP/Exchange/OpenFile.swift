import Glibc

/// A descriptor and the file that it was opened for. Once somebody else has closed the descriptor, its number may stand for another thread's file.
struct OpenFile {
    private let descriptor: Int32
    private let identity: Identity?

    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        identity = Self.identity(of: descriptor)
    }

    /// Closes the descriptor if it still stands for that file.
    ///
    /// - Returns: whether it was closed.
    @discardableResult
    func close() -> Bool {
        guard let identity, Self.identity(of: descriptor) == identity else { return false }
        return Glibc.close(descriptor) == 0
    }

    /// Nil where no file is open.
    private static func identity(of descriptor: Int32) -> Identity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Identity(device: status.st_dev, inode: status.st_ino) : nil
    }
}
