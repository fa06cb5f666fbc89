/// The files that may be shared (LivePerson reference 5.15).
enum FileType: String, CaseIterable, Sendable {
    case jpg = "JPG"
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"

    /// The answer with which one is fetched; the media type stands in the contract.
    var answer: String {
        switch self {
        case .jpg, .jpeg: "jpeg-fetched"
        case .png: "png-fetched"
        case .gif: "gif-fetched"
        }
    }

    /// Whether the bytes begin as those of such a file do.
    func fits(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .jpg, .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .gif: bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        }
    }
}
