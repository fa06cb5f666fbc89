import Foundation

/// A part of Sparring that gets inputs of any bytes. An input that ends the process, or that ``run(_:)`` complains of, has found something.
public enum FuzzTarget: String, Sendable, CaseIterable {
    /// The bytes that a client sends on a connection to the server.
    case head
    /// Texts that may be JSON.
    case json
    /// Bodies that may be forms.
    case form
    /// Requests to the operations of all contracts, the admin API's among them, in an engine without a socket.
    case request
    /// Messages on the sockets of all channels, with what else happens meanwhile.
    case message
    /// Tokens, signed and encrypted, and keys; and who brings them.
    case token
    /// Contracts, configuration, scenarios and behaviour files.
    case yaml
    /// A database that somebody has edited.
    case row

    /// - Throws: ``FuzzFailure`` where something promised was not kept.
    public func run(_ bytes: [UInt8]) throws {
        switch self {
        case .head: try HeadTarget.run(bytes)
        case .json: try JSONTarget.run(bytes)
        case .form: try FormTarget.run(bytes)
        case .request: try RequestTarget.run(bytes)
        case .message: try MessageTarget.run(bytes)
        case .token: try TokenTarget.run(bytes)
        case .yaml: try YAMLTarget.run(bytes)
        case .row: try RowTarget.run(bytes)
        }
    }

    /// The operations that the inputs of this process reached; nil where the target has none.
    public var reached: Reached? {
        switch self {
        case .request: try? Reached(RequestTarget.operations, in: Stage.shared)
        case .message: try? Reached(MessageTarget.operations, in: Stage.shared)
        default: nil
        }
    }

    /// Each operation once, as its contract says, in one sandbox; of targets that have operations.
    public func runPlainly() throws {
        switch self {
        case .request: try RequestTarget.runPlainly()
        case .message: try MessageTarget.runPlainly()
        default: break
        }
    }

    /// The folder of the inputs that are tried again and again: small ones to begin with, and those that once found something.
    public var corpus: String { FuzzHome.folder("fixtures/fuzz/\(rawValue)") }
}

/// An input showed that something promised is not kept.
public struct FuzzFailure: Error, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
}

/// The checkout that this was built in.
enum FuzzHome {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func folder(_ path: String) -> String { root.appendingPathComponent(path).path }
}
