extension FaultEffect {
    static let freeze = ending("freeze", "nothing is read, answered or sent any more, no pong either; TCP stays up") { _ in .freeze }
}
