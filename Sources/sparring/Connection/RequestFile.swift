import Foundation
import SparringContract
import SparringJSON

/// A file with a request as the admin API takes it, whose errors name its lines.
struct RequestFile {
    /// An object.
    let json: JSON
    private let name: String
    private let text: String

    /// - Parameter file: '-' is standard input.
    /// - Throws: ``CommandFailure`` where it cannot be read, or has no object.
    init(reading file: String) throws {
        name = file == "-" ? "standard input" : file
        let data: Data
        do {
            data = file == "-" ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw CommandFailure(text: "\(name): cannot be read: \(Terminal.reason(of: error).text)", status: 66)
        }
        text = String(decoding: data, as: UTF8.self)
        do throws(JSONSyntaxError) { json = try JSON(parsing: data) } catch {
            throw CommandFailure.notJSON(name, error)
        }
        guard json.object != nil else { throw CommandFailure(text: "\(name): expected an object, not \(json.typeName)", status: 65) }
    }

    /// An error about the value that a pointer names, with its place.
    func words(about pointer: JSONPointer, _ message: String) -> String {
        // What has one name only, and is called by it, needs no other.
        let isNamed = pointer.tokens.count == 1 && message.contains(pointer.tokens[0])
        let reason = isNamed || pointer.tokens.isEmpty ? message : "\(pointer.words): \(message)"
        // Almost all JSON is YAML, of which the places are known.
        guard let document = try? YAMLDocument(parsing: text, file: name) else { return "\(name): \(reason)" }
        return document.error(at: pointer, reason).description
    }
}

extension CommandFailure {
    /// The same with file and line, where all of it is about something in the file.
    ///
    /// - Parameter form: the request, in which options may have replaced what the file has.
    func located(in file: RequestFile, asSent form: JSON) -> CommandFailure? {
        let violations = json?["violations"]?.array ?? []
        let lines = violations.compactMap { violation -> String? in
            guard let pointer = JSONPointer(violation["pointer"]?.string ?? ""), let message = violation["message"]?.string else {
                return nil
            }
            let part = JSONPointer(tokens: Array(pointer.tokens.prefix(2)))
            return form[part] == file.json[part] ? Terminal.printable(file.words(about: pointer, message)) : nil
        }
        guard !lines.isEmpty, lines.count == violations.count else { return nil }
        return CommandFailure(text: lines.joined(separator: "\n"), status: 65, json: json)
    }
}
