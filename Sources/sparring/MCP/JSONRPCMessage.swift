import SparringJSON

/// A message of JSON-RPC 2.0 that a client sent.
enum JSONRPCMessage {
    case request(id: JSON, method: String, params: JSON)
    case notification(method: String, params: JSON)
    /// An answer to a request of the server's, which sends none.
    case response

    /// - Throws: an error whose `id` is that of the message, if it has one that can be read (JSON-RPC 2.0 §5).
    init(parsing line: [UInt8]) throws(JSONRPCError) {
        let json: JSON
        do { json = try JSON(parsing: line) } catch { throw JSONRPCError(.parseError, "the line is \(error)") }
        guard let members = json.object else {
            throw JSONRPCError(.invalidRequest, "a message is an object, not \(json.typeName); batches are not supported")
        }
        let id = members["id"]
        guard let method = members["method"] else {
            if id != nil, members["result"] != nil || members["error"] != nil {
                self = .response
                return
            }
            throw JSONRPCError(.invalidRequest, "the message has no 'method'", id: Self.known(id))
        }
        guard members["jsonrpc"] == "2.0" else { throw JSONRPCError(.invalidRequest, "'jsonrpc' must be \"2.0\"", id: Self.known(id)) }
        guard let method = method.string else {
            throw JSONRPCError(.invalidRequest, "'method' must be a string, not \(method.typeName)", id: Self.known(id))
        }
        let params = members["params"] ?? [:]
        guard params.object != nil else {
            throw JSONRPCError(.invalidParams, "'params' must be an object, not \(params.typeName)", id: Self.known(id))
        }
        guard let id else {
            self = .notification(method: method, params: params)
            return
        }
        // MCP allows no other ids, null neither.
        guard Self.known(id) != nil else {
            throw JSONRPCError(.invalidRequest, "'id' must be a string or a whole number, not \(id.typeName)")
        }
        self = .request(id: id, method: method, params: params)
    }

    private static func known(_ id: JSON?) -> JSON? { id.flatMap { $0.string != nil || $0.integer != nil ? $0 : nil } }
}

/// An error that a request is answered with.
struct JSONRPCError: Error {
    /// JSON-RPC 2.0 §5.1, and MCP 2026-07-28.
    enum Code: Int64 {
        case parseError = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParams = -32_602
        case internalError = -32_603
        case unsupportedProtocolVersion = -32_022
    }

    var code: Code
    var message: String
    var data: JSON?
    /// The id of the message that could not be read; nil: unknown.
    var id: JSON?

    init(_ code: Code, _ message: String, data: JSON? = nil, id: JSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
        self.id = id
    }

    func response(to id: JSON?) -> JSON {
        [
            "jsonrpc": "2.0", "id": id ?? .null,
            "error": .members(["code": .integer(code.rawValue), "message": .string(message), "data": data]),
        ]
    }
}
