import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
package import SparringJSON
import SparringJournal
import SparringSandbox

/// A recorded client, played against a fresh sandbox on the recording's clock, and its answers held against the recorded ones.
package struct Replay {
    let server: Server
    let archive: Archive
    private let configured: ConfigurationFile?
    var reader: RecordingReader
    var correspondence = Correspondence()
    var credentials: ReplayCredentials
    var sockets: [ReplayedSocket] = []
    /// Calls that wait for their answers, by their places among the placed ones.
    var waiting: [(place: Int, answer: ReplayedAnswer)] = []
    /// The differences found so far, by the entries' numbers.
    var differences: [Int: [Difference]] = [:]
    /// The names of Sparring's own answers, by the entries' numbers.
    var answerNames: [Int: String] = [:]
    /// The settings of the sandbox, by vendor.
    private(set) var settings: [String: JSON] = [:]
    private let tried: JSON.Object
    var counts: [Noise: Int] = [:]
    /// Calls and messages that were sent.
    package private(set) var count = 0
    /// The values of a probe's names in the sandbox.
    var ownNames = ProbeNames(host: "localhost")
    /// How often something that was recorded was waited for and did not come.
    var misses = 0
    /// Acts of the recorded sandbox that were not done again, in words.
    package private(set) var omitted: [String] = []

    /// The sandbox in which what a probe recorded is played.
    static let probed = "default"

    private enum Event {
        case call(Int)
        case message(call: Int, message: Int)
        case leave(call: Int)
        case act(RecordedSandbox.Act)
    }

    /// - Parameters:
    ///   - reader: which has read the archive.
    ///   - server: without a sandbox, which nobody else uses.
    ///   - configured: settings of the sandbox that the recording does not show.
    ///   - tried: settings of its tenants in place of all others.
    package init(
        _ archive: Archive, _ reader: RecordingReader, on server: Server, configured: ConfigurationFile? = nil,
        trying tried: JSON.Object = [:]
    ) {
        (self.archive, self.reader, self.server, self.configured, self.tried) = (archive, reader, server, configured, tried)
        // What did not come with other settings has been waited for.
        if !tried.isEmpty { misses = Self.mostMisses }
        credentials = ReplayCredentials(reader.placed.map(\.call), CredentialVerdicts(reader))
    }

    /// Counts of noise, such as `2 ids`.
    package var noise: [(kind: String, count: Int, words: String)] {
        Noise.allCases.compactMap { kind in counts[kind].map { (kind.rawValue, $0, kind.words($0)) } }
    }

    var placed: [RecordingReader.PlacedCall] { reader.placed }

    // MARK: The script

    private func script() -> [(moment: ReplayMoment, event: Event)] {
        var script: [(moment: ReplayMoment, event: Event)] = []
        for (place, call) in placed.enumerated() where call.call.own?.isCaused != true {
            script.append((ReplayMoment(call.call), .call(place)))
            for (index, message) in (call.call.messages ?? []).enumerated() where message.isSent {
                script.append((ReplayMoment(message, index, of: call.call), .message(call: place, message: index)))
            }
            if let end = call.call.own?.end, end.isByClient {
                script.append((ReplayMoment(time: end.time, order: [end.entry]), .leave(call: place)))
            }
        }
        for act in archive.sandbox?.acts ?? [] { script.append((ReplayMoment(time: act.time, order: [act.entry]), .act(act))) }
        return script.enumerated().sorted { one, other in
            one.element.moment == other.element.moment ? one.offset < other.offset : one.element.moment < other.element.moment
        }.map(\.element)
    }

    /// Plays all of it.
    ///
    /// - Throws: why the sandbox cannot be made.
    package mutating func run() async throws {
        let script = script()
        let begin = archive.sandbox?.begun ?? script.first?.moment.time ?? Timestamp(milliseconds: 0)
        server.engine.addresses = ReplaySandbox.addresses(of: placed, server.engine.contracts, reader.hosts)
        let sandbox = try await ReplaySandbox.make(for: archive, placed, configured, trying: tried, at: begin, in: server)
        for vendor in Set(placed.map(\.operation.vendor)) { settings[vendor] = sandbox.tenant(of: vendor)?.configuration }
        ReplaySandbox.note(archive.sandbox?.secrets ?? [], of: sandbox, in: &correspondence)
        ProofKeys(placed.map(\.call)).note(in: &correspondence)
        for (index, step) in script.enumerated() {
            await advance(sandbox, to: step.moment)
            await perform(step.event, in: sandbox)
            let next = script.indices.contains(index + 1) ? script[index + 1].moment : nil
            await settle(sandbox, before: next)
            collect(sandbox, before: next)
        }
        if let last = lastMoment { await advance(sandbox, to: last) }
        finish()
    }

    /// Plays a recording on a server that is made for it.
    ///
    /// - Throws: why the server or the sandbox cannot be made.
    package static func run(
        _ archive: Archive, _ reader: RecordingReader, configured: ConfigurationFile? = nil, trying tried: JSON.Object = [:],
        _ makeServer: () throws -> Server
    ) async throws -> Replay {
        let server = try makeServer()
        var replay = Replay(archive, reader, on: server, configured: configured, trying: tried)
        do { try await replay.run() } catch {
            try? await server.engine.stop(grace: .zero)
            throw error
        }
        try? await server.engine.stop(grace: .zero)
        return replay
    }

    /// When the last thing was recorded.
    private var lastMoment: ReplayMoment? {
        placed.flatMap { call in
            [ReplayMoment(time: end(of: call.call), order: [.max])]
                + (call.call.messages ?? []).enumerated().map { ReplayMoment($0.element, $0.offset, of: call.call) }
                + [call.call.own?.end].compactMap { end in end.map { ReplayMoment(time: $0.time, order: [.max]) } }
        }.max()
    }

    // MARK: Steps

    private mutating func advance(_ sandbox: Sandbox, to moment: ReplayMoment) async {
        let distance = moment.time - sandbox.clock.now
        guard distance > .zero else { return }
        // Pings are in no archive: a socket that was not closed as idle then is not now.
        for socket in sandbox.openSockets {
            let recorded = sockets.first { $0.number == socket.number }?.placed.call.own?.end
            if recorded.map(\.isByClient) ?? true { socket.traffic(at: moment.time) }
        }
        _ = await sandbox.clock.advance(by: distance)
        await settle(sandbox, before: moment)
        collect(sandbox, before: moment)
    }

    private mutating func perform(_ event: Event, in sandbox: Sandbox) async {
        switch event {
        case .call(let place):
            let call = placed[place].call
            await mint(credentials.wanted(call.headers, call.target, call.body.bytes, correspondence), in: sandbox)
            let request = ReplayedCall(correspondence).request(call)
            let answer = ReplayedAnswer()
            waiting.append((place, answer))
            count += 1
            server.engine.answer(request) { answer.end($0, $1) }
        case .message(let place, let index):
            guard let socket = socket(of: place), let message = placed[place].call.messages?[index] else { return }
            count += 1
            await mint(credentials.wanted([:], "", message.bytes, correspondence), in: sandbox)
            socket.wire.say(
                message.isBinary ? message.bytes : ReplayedCall(correspondence).message(message.bytes), isBinary: message.isBinary)
        case .leave(let place): socket(of: place)?.wire.leave(placed[place].call.own?.end?.code)
        case .act(let act): await perform(act, in: sandbox)
        }
    }

    private func socket(of place: Int) -> ReplayedSocket? { sockets.first { $0.placed.entry == placed[place].entry } }

    private mutating func perform(_ act: RecordedSandbox.Act, in sandbox: Sandbox) async {
        if let call = act.call { return await perform(act, call) }
        if let supply = act.supply { return await perform(supply) }
        guard let operation = act.operation else { return omitted.append(act.cause) }
        do {
            var arguments = correspondence.translate(.object(act.arguments)).object ?? [:]
            if let opened = act.opened {
                guard let socket = sockets.first(where: { $0.placed.call.own?.entry == opened }) else {
                    return omitted.append("\(act.cause): entry \(opened) opened no socket in the replay")
                }
                arguments["socket"] = .integer(Int64(socket.number))
            }
            let answer = try await server.admin.perform(operation, arguments, in: sandbox, server.engine.addresses)
            if operation == ReplayCredentials.operation, case .json(let body) = answer.body { credentials.keep(.object(arguments), body) }
        } catch {
            omitted.append("\(act.cause): \(AdminAPI.problem(error).detail)")
        }
    }

    /// Asks for an act as it was asked for at the vendor.
    private mutating func perform(_ act: RecordedSandbox.Act, _ call: Archive.Call) async {
        guard case .answer(let response) = await server.engine.answer(ReplayedCall(correspondence).request(call)),
            case .bytes(let bytes) = response.body
        else { return omitted.append(act.cause) }
        if response.status >= 400 { return omitted.append("\(act.cause): \(String(decoding: bytes, as: UTF8.self).abbreviated(to: 200))") }
        guard let recorded = try? JSON(parsing: call.answerBody.bytes), let answer = try? JSON(parsing: bytes) else { return }
        var comparison = Comparison(correspondence, at: act.time, tolerance: .seconds(2))
        comparison.compare(recorded, answer, at: Place("act"))
        correspondence = comparison.correspondence
    }

    /// Lets credentials stand for those that the recorded client brought from elsewhere. One that cannot be minted stays as it was recorded.
    private mutating func mint(_ wanted: [WantedCredential], in sandbox: Sandbox) async {
        let isOfVendor = archive.sandbox?.isOfVendor ?? true
        // A request may bring the same one in two places.
        for wanted in wanted where !correspondence.knows(wanted.recorded) {
            if let kept = credentials.take(for: wanted) {
                correspondence.note(wanted.recorded, kept)
                continue
            }
            // What was refused is refused again.
            if credentials.isRefused(wanted) {
                correspondence.note(wanted.recorded, wanted.unsound)
                continue
            }
            // The same sandbox takes what it took when it was recorded.
            guard isOfVendor || wanted.recorded.contains("«") else { continue }
            let form = isOfVendor ? wanted.form(begunBy: sandbox.clock.now) : wanted.form
            if case .json(let body)? = try? await server.admin.perform(
                ReplayCredentials.operation, form.object ?? [:], in: sandbox, server.engine.addresses
            ).body, let credential = body["credential"]?.string {
                correspondence.note(wanted.recorded, credential)
            }
        }
    }
}
