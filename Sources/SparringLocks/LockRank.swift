/// In which order nested locks are taken (Architecture, "Lock order"). A debug build stops where a thread takes a lock while it holds one of the same
/// rank or a later one: what could deadlock is found by the first test that comes there, not by the one run in which two threads meet.
public enum LockRank: Int, Sendable {
    /// `World.state`, `Outbox.items`, `Pipeline.early`, `SocketLine.state`, `ResponseStream.state`.
    case first
    /// `Sandbox.state`, `DueWork.state`, `Socket.state`, `Exchange.state`, `Handshake.watch`: taken inside those.
    case second
    /// `SandboxClock.state`.
    case clock
    /// Nothing is taken inside.
    case leaf
}
