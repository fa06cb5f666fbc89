extension FaultEffect {
    static let abort = ending("abort", "TCP ends without a close frame: the client sees 1006") { _ in .abort }
}
