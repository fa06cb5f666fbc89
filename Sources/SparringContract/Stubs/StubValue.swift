internal import SparringJSON

/// A value in braces in a stub's example: a runtime expression, as OpenAPI 3.1 §4.8.20.5 embeds it in a text, or a value of the sandbox.
public enum StubValue: Sendable, Hashable {
    /// `$request.path.NAME` and the like; of a message `$message.payload#/POINTER` too.
    case request(RequestPlace)
    /// `$sandbox.now`, and a span of time after it: `$sandbox.now+10m`.
    case time(TimeForm, after: Duration)
    /// `$sandbox.id`, `$sandbox.uuid`, and others beside them: `$sandbox.id.message`.
    case id(IDForm, purpose: String)

    public enum TimeForm: String, Sendable, CaseIterable {
        /// RFC 3339, with milliseconds.
        case text = "$sandbox.now"
        /// Whole seconds since 1970 (RFC 7519 §2), a number.
        case seconds = "$sandbox.now.seconds"
        /// Milliseconds since 1970, a number.
        case milliseconds = "$sandbox.now.milliseconds"
    }

    public enum IDForm: String, Sendable, CaseIterable {
        /// 24 hexadecimal digits.
        case hex = "$sandbox.id"
        /// RFC 9562 §5.4.
        case uuid = "$sandbox.uuid"
    }

    private static let payload = "$message.payload#"

    /// - Throws: ``StubTextError`` where it is none of them.
    init(_ expression: String) throws(StubTextError) {
        if let place = RequestPlace(expression: expression) {
            self = .request(place)
        } else if expression.hasPrefix(Self.payload), let pointer = JSONPointer(String(expression.dropFirst(Self.payload.count))) {
            self = .request(.body(pointer))
        } else if let time = try Self.time(expression) ?? Self.id(expression) {
            self = time
        } else {
            let known = TimeForm.allCases.map(\.rawValue) + IDForm.allCases.map(\.rawValue)
            let hint = Nearest.hint(for: expression, in: known)
            throw StubTextError(
                reason:
                    "'{\(expression)}' is neither a value of the request, such as {$request.path.NAME} or {$request.body#/POINTER}, nor one of "
                    + known.map { "{\($0)}" }.joined(separator: ", ") + hint)
        }
    }

    private static func time(_ expression: String) throws(StubTextError) -> StubValue? {
        let parts = expression.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let form = TimeForm(rawValue: parts[0]) else { return nil }
        guard parts.count > 1 else { return .time(form, after: .zero) }
        guard let span = Duration(text: parts[1]) else {
            throw StubTextError(reason: "'{\(expression)}': '\(parts[1])' is not a span of time, such as 30s or 10m")
        }
        return .time(form, after: span)
    }

    private static func id(_ expression: String) -> StubValue? {
        for form in IDForm.allCases {
            if expression == form.rawValue { return .id(form, purpose: "") }
            let prefix = form.rawValue + "."
            if expression.hasPrefix(prefix), expression.count > prefix.count {
                return .id(form, purpose: String(expression.dropFirst(prefix.count)))
            }
        }
        return nil
    }
}
