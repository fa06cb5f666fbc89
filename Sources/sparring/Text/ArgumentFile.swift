import Foundation

/// A file that an argument names. Only the command line reads files; the server does not.
enum ArgumentFile {
    /// Bytes of the longest file.
    private static let longest = 1 << 20

    /// - Parameter mark: what stands before the file's name, for errors.
    /// - Throws: ``CommandFailure`` where the file cannot be read, is too long or is no text in UTF-8.
    static func text(of file: String, mark: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(text: "\(mark)\(file): the file cannot be read", status: 66)
        }
        guard bytes.count <= longest else {
            throw CommandFailure(text: "\(mark)\(file): the file has \(bytes.count) bytes, and a body at most \(longest)", status: 65)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(text: "\(mark)\(file): the file is not UTF-8 text", status: 65)
        }
        return text
    }
}
