package import SparringJSON

/// How long a sandbox lives, by the machine's clock.
package struct Lifetime: Sendable, Equatable {
    package var length: Duration
    /// It counts from the last use, not from the sandbox's making: from a call, a message, or a call of the admin API for the sandbox.
    package var isRenewed: Bool

    package static let shortest = Duration.seconds(1)

    /// Reads what a sandbox is asked for with.
    ///
    /// - Parameters:
    ///   - ttl: a duration such as `2h`; `none`: it lives until it is deleted.
    ///   - isRenewed: nil: it is.
    /// - Returns: nil where the sandbox lives until it is deleted.
    package init?(_ ttl: JSON, isRenewed: Bool?) throws(ConfigurationError) {
        guard let text = ttl.string else {
            throw ConfigurationError(["ttl"], "\(ttl.text) is not a duration such as 30m or 2h, nor 'none'")
        }
        if text == "none" { return nil }
        guard let length = Duration(text: text) else { throw ConfigurationError(["ttl"], Duration.refusal(of: text)) }
        guard length >= Self.shortest else { throw ConfigurationError(["ttl"], "\(text) is shorter than \(Self.shortest.words)") }
        self.init(length: length, isRenewed: isRenewed ?? true)
    }

    package init(length: Duration, isRenewed: Bool = true) { (self.length, self.isRenewed) = (length, isRenewed) }

    /// Reads ``json``; nil where there is none.
    init?(_ json: JSON?) {
        guard let json, let length = json["length"]?.integer else { return nil }
        self.init(length: .milliseconds(length), isRenewed: json["renewed"] == true)
    }

    /// The form that is kept with the sandbox.
    var json: JSON { ["length": .integer(length.milliseconds), "renewed": .bool(isRenewed)] }

    /// The reason for a sandbox's end, in words: `it was not used for 2 h`.
    var words: String { isRenewed ? "it was not used for \(length.words)" : "it was made for \(length.words)" }
}

/// Limits of the lifetime of sandboxes that are made over the admin API.
package struct LifetimeLimits: Sendable {
    /// The lifetime of a sandbox that asks for none; nil: until it is deleted.
    package var standard: Duration?
    /// Nil: any.
    package var longest: Duration?

    package init(standard: Duration? = nil, longest: Duration? = nil) { (self.standard, self.longest) = (standard, longest) }

    /// - Parameters:
    ///   - ttl: what a sandbox is asked for with; nil: nothing.
    ///   - isRenewed: ``Lifetime/isRenewed``; nil: it is.
    /// - Throws: ``ConfigurationError`` for what is no time to live, and for a longer one than a sandbox may have.
    package func lifetime(_ ttl: JSON?, isRenewed: Bool?) throws(ConfigurationError) -> Lifetime? {
        guard let ttl else { return (standard ?? longest).map { Lifetime(length: $0, isRenewed: isRenewed ?? true) } }
        let wanted = try Lifetime(ttl, isRenewed: isRenewed)
        if let longest, wanted.map({ $0.length > longest }) ?? true {
            throw ConfigurationError(
                ["ttl"], "this server lets no sandbox live longer than \(longest.words) (--max-ttl \(longest.shortText))")
        }
        return wanted
    }
}
