/// The bytes that are written to a connection past libmicrohttpd, and the way in which the connection then ends.
struct Ending: Sendable {
    enum Last: Sendable {
        case reset, close, stall
    }

    /// The bytes that are still to be written.
    var rest: ArraySlice<UInt8>
    let last: Last
    /// The words that report it, such as "reset after 5 of 10 bytes of the body".
    let words: String
    /// Written after ``rest``, with a pause before each.
    var pieces: ArraySlice<[UInt8]> = []
    /// How often it was looked whether everything has left.
    var looks = 0

    init(_ bytes: some Sequence<UInt8>, then last: Last, words: String) {
        rest = ArraySlice(bytes)
        self.last = last
        self.words = words
    }

    /// The words for a client that left before it had come about, or during a stall.
    var leaving: String { last == .stall ? words + " until the client left" : "the client left" }

    static let reset = Ending([], then: .reset, words: "reset")
    static let empty = Ending([], then: .close, words: "closed without an answer")
    static let stall = Ending([], then: .stall, words: "stalled")

    /// A pause within which the kernel sends what it has, and a client that reads at once gets it alone.
    static let gap = Duration.milliseconds(20)

    /// An answer in pieces, at least one.
    static func answer(_ pieces: [[UInt8]]) -> Ending {
        var ending = Ending(pieces.first ?? [], then: .close, words: "sent")
        ending.pieces = pieces.dropFirst()
        return ending
    }

    static func raw(_ bytes: [UInt8]) -> Ending {
        Ending(bytes, then: .close, words: "closed after \(bytes.count) bytes that are not an answer")
    }
}
