import SparringContract
import SparringJSON

/// Messages on sockets: a script, or decisions over all messages of all channels, with calls and time that passes between them.
enum MessageTarget {
    static let operations = Stage.operations.filter { $0.isMessage || $0.opensSocket }
    private static let openers = Stage.operations.filter(\.opensSocket)
    private static let limit = 32

    static func run(_ bytes: [UInt8]) throws {
        let play = try Stage.shared.begin()
        do {
            if Step.isScript(bytes) {
                for step in Step.script(bytes).prefix(64) { try play.perform(step) }
            } else {
                var choices = Choices(bytes)
                try prologue(choices.below(4), play)
                var steps = 0
                repeat {
                    try play.perform(try step(&choices, play))
                    steps += 1
                } while !choices.isAtEnd && steps < limit
            }
        } catch {
            try? play.end()
            throw error
        }
        try play.end()
    }

    static func runPlainly() throws {
        let play = try Stage.shared.begin(patience: Stage.unhurried)
        try prologue(3, play)
        try play.perform(.open(target: path("openConsumerSocketByToken"), headers: []))
        try play.perform(.open(target: path("openGateway"), headers: []))
        try play.perform(.open(target: path("openRealtime"), headers: []))
        try play.perform(.open(target: path("openSocket"), headers: []))
        for channel in Stage.channels {
            for operation in channel.received {
                var plain = Choices([])
                let socket = ["openAgentSocket": 1, "openGateway": 3, "openRealtime": 4][channel.openers[0].id] ?? 0
                try play.perform(try message(operation, to: socket, &plain, play))
            }
        }
        try play.end()
    }

    /// Plays the beginning, which an input then need not find: a consumer's socket, its conversation, an agent who has taken it.
    private static func prologue(_ kind: Int, _ play: Play) throws {
        try play.perform(.open(target: path("openConsumerSocket"), headers: [("Authorization", "jwt ${jwt}")]))
        guard kind > 0 else { return }
        if kind > 1 {
            try play.perform(.open(target: path("openAgentSocket"), headers: []))
            for (type, body) in [
                (".ams.routing.SetAgentState", ["availability": "ONLINE", "channels": ["MESSAGING"]] as JSON),
                (".ams.routing.SubscribeRoutingTasks", [:]), (".ams.aam.SubscribeExConversations", ["convState": ["OPEN"]]),
            ] { try say(1, type, body, play) }
        }
        try say(0, "cm.ConsumerRequestConversation", ["ttrDefName": "NORMAL"], play)
        try say(0, "ms.SubscribeMessagingEvents", ["dialogId": "${dialogId}", "fromSeq": 0], play)
        guard kind > 2 else { return }
        // The ring comes on the agent's socket, unasked: it arrives with what follows a question.
        try say(1, ".GetClock", [:], play)
        try say(1, ".ams.routing.UpdateRingState", ["ringId": "${ringId}", "ringState": "ACCEPTED"], play)
    }

    private static func say(_ socket: Int, _ type: String, _ body: JSON, _ play: Play) throws {
        let message: JSON = ["kind": "req", "id": "1", "type": .string(type), "body": body]
        try play.perform(.send(socket: socket, text: message.bytes))
    }

    /// The target of one of the ways in, with a token that holds where one is needed.
    private static func path(_ operation: String) -> String {
        guard let found = openers.first(where: { $0.id == operation }) else { return "/" }
        var values: [String: String] = [:]
        for parameter in found.parameters where parameter.location == .path {
            let known = ["accountId": "acme", "appId": parameter.example?.string ?? ""]
            values[parameter.name] = known[parameter.name] ?? "PLACE"
        }
        // The template encodes what it is given.
        let query = found.parameters.filter { $0.location == .query && $0.required && found.query[$0.name] == nil }.map {
            "\($0.name)=\($0.name == "asapp-api-id" ? "5f0c0e1a2b3c4d5e6f708190" : $0.example?.string ?? "")"
        }
        let target = found.path(values) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return target.replacing("PLACE", with: found.id == "openAgentSocket" ? "${bearer}" : "${jwt}")
    }

    private static func step(_ choices: inout Choices, _ play: Play) throws -> Step {
        switch choices.byte() {
        case 0..<170: return try message(&choices, play)
        case 170..<195:
            let by = choices.pick(["1s", "20s", "72s", "10m", "1h", "9h", "25h", "30d", "10y"])
            return .call(
                method: "POST", target: "/__admin/sandboxes/\(Stage.sandbox)/clock/advance",
                headers: [("Content-Type", "application/json")],
                body: Array("{\"by\":\"\(by)\"}".utf8))
        case 195..<215: return try open(&choices, play)
        case 215..<245: return try RequestTarget.call(choices.pick(RequestTarget.operations), &choices, play)
        default: return .leave(socket: choices.below(max(1, play.sockets.count)), code: choices.pick([1000, nil, 1001, 4999]))
        }
    }

    private static func open(_ choices: inout Choices, _ play: Play) throws -> Step {
        let opener = choices.pick(openers)
        guard choices.chance(60), case .call(_, let target, let headers, _) = try RequestTarget.call(opener, &choices, play) else {
            let isInPath = opener.pathTemplate.hasSuffix("}")
            return .open(target: path(opener.id), headers: isInPath ? [] : [("Authorization", "jwt ${jwt}")])
        }
        return .open(target: target, headers: headers)
    }

    /// A message of a socket's channel, or of another's.
    private static func message(_ choices: inout Choices, _ play: Play) throws -> Step {
        let socket = choices.below(max(1, play.sockets.count))
        if choices.chance(10) {
            return .send(socket: socket, text: choices.chance(128) ? choices.bytes(64) : Array(Values.text(&choices).utf8))
        }
        // Each by a byte of its own, whatever the socket: coverage leads to those that fit.
        return try message(choices.pick(messages), to: socket, &choices, play)
    }

    private static let messages = operations.filter(\.isMessage)

    /// The contract's own example where nothing is decided.
    private static func message(
        _ operation: ContractOperation, to socket: Int, _ choices: inout Choices, _ play: Play
    ) throws -> Step {
        let examples = operation.requestBody?.mediaTypes.first?.examples ?? []
        guard !examples.isEmpty else { return .send(socket: socket, text: []) }
        var failure: (any Error)?
        let value = Mutation.mutated(choices.pick(examples).value, &choices) { name in
            do { return try play.known(name) } catch {
                failure = failure ?? error
                return nil
            }
        }
        if let failure { throw failure }
        return .send(socket: socket, text: Mutation.written(value, &choices))
    }
}
