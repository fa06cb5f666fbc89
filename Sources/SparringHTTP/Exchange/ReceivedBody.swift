/// What has come of a request's body: a short one in memory, a long one in a private file.
struct ReceivedBody {
    /// Bytes of the longest that stays in memory.
    static let shortLimit = 64 << 10

    private var bytes: [UInt8] = []
    private var file: PrivateFile?
    private(set) var count = 0

    /// - Returns: false where the bodies under way take all there is for them; then nothing has changed.
    mutating func append(_ piece: UnsafeRawBufferPointer, _ limits: BodyLimits) -> Bool {
        if file == nil, count + piece.count > Self.shortLimit {
            guard limits.admit(count + piece.count) else { return false }
            file = PrivateFile(limits)
            let isMoved = bytes.withUnsafeBytes { file?.append($0) } ?? false
            if isMoved, file?.append(piece) == true {
                bytes = []
                count += piece.count
                return true
            }
            limits.drop(count + piece.count)
            file = nil
        } else if let file {
            guard limits.admit(piece.count) else { return false }
            if file.append(piece) {
                count += piece.count
                return true
            }
            // The disk is full, or the like: better in memory than lost.
            limits.drop(piece.count)
            bytes = file.read()
            self.file = nil
        }
        bytes.append(contentsOf: piece)
        count += piece.count
        return true
    }

    /// All of it.
    var whole: [UInt8] { file?.read() ?? bytes }
}
