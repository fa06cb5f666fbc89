import HTTPTypes
import SparringJSON
import SparringJournal

/// The part of a file that a GET or HEAD asks for, and its conditions (RFC 9110 §13.1 and §14.2).
struct Selection {
    enum Outcome: Equatable {
        /// The whole file. The text says why a Range field is ignored, for the journal.
        case whole(String? = nil)
        case part(Range<Int>)
        /// 304, with the reason.
        case unmodified(String)
        /// 412, with the reason.
        case failed(String)
        /// 416, with the reason.
        case unsatisfiable(String)
    }

    /// The request's fields, as far as the operation declares them.
    let fields: HTTPFields
    let isGet: Bool
    let now: Timestamp

    /// The order is that of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - validators: of the file.
    ///   - size: of the file, in bytes.
    func outcome(_ validators: HTTPFields, size: Int) -> Outcome {
        let tag = EntityTag.list(validators[.eTag] ?? "").first
        let modified = validators[.lastModified].flatMap { Timestamp(httpDate: $0, now: now) }
        if let wanted = tags(.ifMatch) {
            guard wanted.isAny || wanted.tags.contains(where: { tag?.isStronglyLike($0) == true }) else {
                return .failed("If-Match names other entity tags than \(validators[.eTag] ?? "none")")
            }
        } else if let modified, let limit = date(.ifUnmodifiedSince), modified > limit {
            return .failed("the file was modified on \(modified.httpDate), after If-Unmodified-Since")
        }
        if let known = tags(.ifNoneMatch) {
            if known.isAny || known.tags.contains(where: { tag?.isWeaklyLike($0) == true }) {
                return .unmodified("If-None-Match names \(known.isAny ? "any file" : "its entity tag")")
            }
        } else if let modified, let limit = date(.ifModifiedSince), modified <= limit {
            return .unmodified("it was not modified after If-Modified-Since")
        }
        return range(tag, modified, size)
    }

    private func range(_ tag: EntityTag?, _ modified: Timestamp?, _ size: Int) -> Outcome {
        // Ranges are defined for GET only (RFC 9110 §14.2).
        guard isGet, let field = fields[.range] else { return .whole() }
        guard let range = ByteRange(field) else {
            return .whole("Range \(field.quoted) is ignored: it is not a single range of bytes (RFC 9110 §14.2)")
        }
        if let condition = fields[.ifRange], !isCurrent(condition, tag, modified) {
            return .whole("Range is ignored: If-Range \(condition.quoted) is not the file's validator (RFC 9110 §13.1.5)")
        }
        guard let bytes = range.bytes(of: size) else {
            return .unsatisfiable("Range \(field.quoted) is outside the file, which has \(size) bytes")
        }
        // Content-Range cannot write a range of no bytes (RFC 9110 §14.4).
        return bytes.isEmpty ? .whole() : .part(bytes)
    }

    /// Whether an If-Range field names the file as it is: by strong comparison, or by its exact date (RFC 9110 §13.1.5).
    private func isCurrent(_ condition: String, _ tag: EntityTag?, _ modified: Timestamp?) -> Bool {
        if let date = Timestamp(httpDate: condition, now: now) { return date == modified }
        let wanted = EntityTag.list(condition)
        return wanted.count == 1 && tag?.isStronglyLike(wanted[0]) == true
    }

    /// The entity tags of a field; nil if there is none.
    private func tags(_ name: HTTPField.Name) -> (tags: [EntityTag], isAny: Bool)? {
        guard let text = fields[name] else { return nil }
        let tags = EntityTag.list(text)
        if tags.isEmpty { return nil }
        return (tags, text.filter { $0 != " " && $0 != "\t" } == "*")
    }

    /// The date of a field; nil if there is none, or it is malformed (RFC 9110 §13.1.3 and §13.1.4).
    private func date(_ name: HTTPField.Name) -> Timestamp? {
        fields[name].flatMap { Timestamp(httpDate: $0, now: now) }
    }
}
