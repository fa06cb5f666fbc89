import SparringSandbox

/// Messages that a request brought, and the socket that stands for the client which polls.
struct Carried: Sendable {
    let socket: Socket
    let messages: [[UInt8]]
}
