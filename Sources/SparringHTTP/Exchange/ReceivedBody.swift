/// The bytes of a request's body that have come: a short one in memory, a long one in a private file.
struct ReceivedBody {
    /// Bytes of the longest that stays in memory.
    static let shortLimit = 64 << 10

    private var bytes: [UInt8] = []
    private var file: PrivateFile?
    /// The disk is full, or the like: better in memory than lost.
    private var hasNoFile = false
    private(set) var count = 0

    /// - Returns: false where the bodies under way take all there is for them; then nothing has changed.
    mutating func append(_ piece: UnsafeRawBufferPointer, _ limits: BodyLimits) -> Bool {
        let isShort = file == nil && count + piece.count <= Self.shortLimit
        if !isShort, !hasNoFile {
            guard limits.admit(file == nil ? count + piece.count : piece.count) else { return false }
            if !write(piece, limits) {
                // With the file goes what was admitted for it.
                if let file { bytes = file.read(count) }
                file = nil
                hasNoFile = true
            }
        }
        if file == nil { bytes.append(contentsOf: piece) }
        count += piece.count
        return true
    }

    /// - Returns: false where it cannot be written; then the file, if there is one, has what came before.
    private mutating func write(_ piece: UnsafeRawBufferPointer, _ limits: BodyLimits) -> Bool {
        if let file { return file.append(piece) }
        guard let new = PrivateFile(limits) else {
            limits.drop(count + piece.count)
            return false
        }
        guard bytes.withUnsafeBytes({ new.append($0) }) else {
            limits.drop(piece.count)
            return false
        }
        guard new.append(piece) else { return false }
        file = new
        bytes = []
        return true
    }

    /// All of it.
    var whole: [UInt8] { file?.read(count) ?? bytes }
}
