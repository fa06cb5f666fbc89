/// How one message goes out on a WebSocket.
package enum FrameVariation: Int, Sendable, CaseIterable {
    /// In two fragments (RFC 6455 §5.4).
    case fragments
    /// In many, with a ping between two of them.
    case manyFragments
    /// A ping comes before it.
    case ping

    private var words: String {
        switch self {
        case .fragments: "in two fragments"
        case .manyFragments: "in fragments of up to 7 bytes, with a ping between"
        case .ping: "after a ping"
        }
    }

    package static func drawn(_ subject: VariationSubject) -> (frames: FrameVariation, change: VariedPlace)? {
        guard let pick = subject.pick(.frames, "frames", of: allCases.count) else { return nil }
        return (allCases[pick.index], VariedPlace(pick.id, at: "", allCases[pick.index].words))
    }
}
