import SparringContract

/// The forms in a body. The first line of an input is the boundary of a multipart body, the rest the body; all of it is a form, too.
enum FormTarget {
    /// A form reads the same when it is written again, and the parts of a multipart body are no longer than the body that was sent.
    static func run(_ bytes: [UInt8]) throws {
        let fields = PercentCoding.fields(Substring(String(decoding: bytes, as: UTF8.self)))
        let again = PercentCoding.fields(Substring(PercentCoding.form(fields.map { ($0.name, $0.value) })))
        guard again.map(\.name) == fields.map(\.name), again.map(\.value) == fields.map(\.value) else {
            throw FuzzFailure("a form reads as another: \(fields), \(again)")
        }
        let (boundary, body) = split(bytes)
        guard let form = try? MultipartForm(body, contentType: "multipart/form-data; boundary=\"\(boundary)\"") else { return }
        guard form.parts.reduce(0, { $0 + $1.bytes.count }) <= body.count else {
            throw FuzzFailure("parts that are longer than their body")
        }
        let other = "fuzzer-\(boundary.utf8.count)"
        // By bytes: a combining character behind it would hide it from a search by characters.
        guard !String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) })).contains(other) else { return }
        var written: [UInt8] = []
        for part in form.parts {
            let name = part.name.filter { !$0.isNewline && $0 != "\"" }
            written += "--\(other)\r\nContent-Disposition: form-data; name=\"\(name)-\"\r\n\r\n".utf8 + part.bytes + "\r\n".utf8
        }
        written += "--\(other)--\r\n".utf8
        let copy = try MultipartForm(written, contentType: "multipart/form-data; boundary=\(other)")
        guard copy.parts.map(\.bytes) == form.parts.map(\.bytes) else { throw FuzzFailure("its parts read as others") }
    }

    static func split(_ bytes: [UInt8]) -> (boundary: String, body: [UInt8]) {
        let line = bytes.prefix { $0 != 0x0A }
        // No longer than a head that contains it may be.
        let boundary = line.prefix(16_384).filter { $0 != UInt8(ascii: "\"") && $0 != 0x0D }
        return (String(decoding: boundary, as: UTF8.self), Array(bytes.dropFirst(line.count + 1)))
    }
}
