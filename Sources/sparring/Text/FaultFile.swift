import ArgumentParser
import SparringSandbox

/// Takes the body of a fault from a file: `body=@FILE` on the command line becomes `body="…"`.
enum FaultFile {
    private static let mark = "body=@"

    /// An example for those who have given none.
    static let example = "'*.Login.* token-expired times=2'"

    /// - Parameter faults: the values of `--fault`.
    /// - Throws: where one is empty.
    static func validate(_ faults: [String]) throws {
        if faults.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw ValidationError("--fault is empty; write one such as \(example)")
        }
    }

    /// The fault with the bodies in it.
    ///
    /// - Throws: ``CommandFailure`` where a file cannot be read, is too long or is no text in UTF-8.
    static func read(_ fault: String) throws -> String {
        guard fault.contains(mark) else { return fault }
        let words: [String]
        do throws(FaultRefused) { words = try FaultWords.split(fault) } catch { throw CommandFailure(text: error.description, status: 64) }
        return try words.map(word).joined(separator: " ")
    }

    private static func word(_ word: String) throws -> String {
        guard let equals = word.firstIndex(of: "=") else { return word }
        let name = word[...equals]
        guard word.hasPrefix(mark) else { return name + FaultWords.quoted(String(word[word.index(after: equals)...])) }
        return name + FaultWords.quoted(try ArgumentFile.text(of: String(word.dropFirst(mark.count)), mark: mark))
    }
}
