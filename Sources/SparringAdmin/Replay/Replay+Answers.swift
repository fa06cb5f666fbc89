import HTTPTypes
import SparringContract
package import SparringJSON
import SparringJournal
import SparringSandbox
package import SparringVerdict

/// The comparison of what came with what was recorded.
extension Replay {
    mutating func collect(_ sandbox: Sandbox, before moment: ReplayMoment?) {
        let ready = waiting.filter { $0.answer.outcome != nil }
        waiting.removeAll { $0.answer.outcome != nil }
        for (place, answer) in ready { if let outcome = answer.outcome { take(outcome, of: placed[place], sandbox) } }
        for index in sockets.indices {
            let socket = sockets[index]
            var found: [(Int, [Difference])] = []
            var counts = counts
            let now = sandbox.clock.now
            sockets[index].match(before: moment, at: now, &correspondence) { recorded, replayed, lag, correspondence in
                var comparison = Comparison(correspondence, at: now, tolerance: Self.tolerance(of: socket.placed.call, lag: lag))
                comparison.compare(recorded, replayed, at: Place("message"))
                return comparison
            } _: { message, comparison, differences in
                found.append((message, differences))
                counts.merge(comparison?.noise ?? [:]) { $0 + $1 }
            }
            self.counts = counts
            for (message, differences) in found {
                note(differences, at: socket.placed.messages[message] ?? socket.placed.entry)
            }
        }
    }

    /// The recorded clock ran on while a call was answered, and until a notification came.
    ///
    /// - Parameter lag: how much later a notification came in the recording than in the replay.
    private static func tolerance(of call: Archive.Call, lag: Duration = .zero) -> Duration {
        let took =
            call.own.flatMap { own in own.time.flatMap { time in own.ended.map { $0 - time } } } ?? .milliseconds(Int64(clamped: call.took))
        return .seconds(2) + min(max(took, lag, .zero), .seconds(60))
    }

    private mutating func take(_ outcome: ReplayedAnswer.Outcome, of placed: RecordingReader.PlacedCall, _ sandbox: Sandbox) {
        let call = placed.call
        var comparison = Comparison(correspondence, at: sandbox.clock.now, tolerance: Self.tolerance(of: call))
        switch (call.status, outcome) {
        case (_, .socket(let wire)):
            let known = Set(sockets.map(\.number))
            let number = sandbox.openSockets.map(\.number).first { !known.contains($0) } ?? 0
            sockets.append(ReplayedSocket(placed, wire, number: number, reader.channel(openedBy: placed.operation)))
            if call.status != 101 {
                comparison.differ(.answer, Place("answer status"), is: "101", recorded: call.status.map(String.init) ?? "no answer")
            }
        case (.none, .nothing): break
        case (.none, .answer(let status, _, _, _)):
            comparison.differ(.silence, Place("answer status"), is: String(status), recorded: "no answer")
        case (.some(let status), .nothing):
            comparison.differ(
                .silence, Place("answer status"), is: nil, recorded: String(status), "is missing, for nothing came back: recorded \(status)"
            )
        case (.some(let status), .answer(let other, let headers, let body, let name)):
            answerNames[placed.entry] = name
            if status != other {
                let words = String(decoding: body, as: UTF8.self).abbreviated(to: 200)
                var difference = Difference(
                    .answer, Place("answer status"), is: String(other), recorded: String(status),
                    "is \(other): recorded \(status)" + (words.isEmpty ? "" : "; replayed \(words)"))
                // What their ids stand for is not learnt: two answers of different statuses seldom mean the same.
                var inner = comparison
                compare(call, headers, body, placed.operation, &inner)
                difference.inner = inner.differences
                comparison.note(difference)
            } else {
                compare(call, headers, body, placed.operation, &comparison)
            }
        }
        correspondence = comparison.correspondence
        counts.merge(comparison.noise) { $0 + $1 }
        note(comparison.differences, at: placed.entry)
    }

    private func compare(
        _ call: Archive.Call, _ headers: HTTPFields, _ body: [UInt8], _ operation: ContractOperation, _ comparison: inout Comparison
    ) {
        comparison.compare(
            call.answerHeaders, headers,
            declared: operation.answers.filter { $0.status == call.status }.flatMap { $0.headers.map(\.name) + $0.rewrittenHeaders })
        guard call.answerBody.isKnown else { return }
        let replayed = Archive.Body(bytes: body)
        switch (RecordingReader.value(of: call.answerBody, call.answerHeaders), RecordingReader.value(of: replayed, headers)) {
        case (.none, .none):
            if call.answerBody.bytes != body {
                let (count, recorded) = (body.count, call.answerBody.bytes.count)
                comparison.differ(
                    .value, Place("answer body"), is: "\(count) bytes", recorded: "\(recorded) bytes",
                    "has \(count) bytes that are not the \(recorded) recorded ones")
            }
        case (.some(let recorded), .none):
            comparison.differ(.missing, Place("answer body"), is: nil, recorded: recorded)
        case (.none, .some(let replayed)):
            comparison.differ(.surplus, Place("answer body"), is: replayed, recorded: nil)
        case (.some(let recorded), .some(let replayed)): comparison.compare(recorded, replayed, at: Place("answer body"))
        }
    }

    private mutating func note(_ differences: [Difference], at entry: Int) {
        self.differences[entry, default: []] += differences
    }

    // MARK: The end

    mutating func finish() {
        for (place, _) in waiting {
            note([Difference(.silence, Place("answer"), is: nil, recorded: "one", "never came")], at: placed[place].entry)
        }
        for socket in sockets {
            socket.rest { message, difference in
                note([difference], at: message.flatMap { socket.placed.messages[$0] } ?? socket.placed.entry)
            }
        }
        reader.replaceFindings(by: differences.mapValues { $0.map(\.finding) })
    }

    /// The differences as a report.
    ///
    /// - Throws: ``ConfigurationError`` for a policy that is not known.
    package func judge(_ request: VerdictRequest, _ behaviours: Behaviours, name: String) throws(ConfigurationError) -> VerdictReport {
        var report = try reader.judge(request, behaviours, name: name)
        report.subject = .replay
        return report
    }
}
