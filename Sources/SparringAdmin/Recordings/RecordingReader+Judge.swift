package import SparringJSON
import SparringJournal
package import SparringVerdict

extension RecordingReader {
    /// The entries as a journal keeps them.
    private var records: [[UInt8]] {
        entries.enumerated().map { index, entry in
            var buffer = ByteBuffer(capacity: 1024)
            entry.write(as: index + 1, to: &buffer)
            return buffer.array
        }
    }

    /// The entries as JSON, numbered from 1.
    package var json: [JSON] { records.compactMap { try? JSON(parsing: $0) } }

    /// Holds the recording against the contracts, and against those rules that the request names.
    ///
    /// - Parameter name: of the recording.
    /// - Throws: ``ConfigurationError`` for a rule or a policy that is not known.
    package func judge(_ request: VerdictRequest, _ behaviours: Behaviours, name: String) throws(ConfigurationError) -> VerdictReport {
        let plan = try request.plan(behaviours, sandbox: [:])
        // A recording seldom shows all that a rule needs: when a socket ended, who somebody is.
        let isAsked = !request.rules.isEmpty || !request.behaviours.isEmpty
        var judging = Judging(
            Judging.Run(sandbox: name, seed: 0, scenario: nil, pruned: 0, rate: 1), isAsked ? plan.rules : [], plan.behaviours,
            request.timing,
            client: Judging.Client(platform: request.platform, flow: request.flow),
            contract: ContractFindings(gate: request.contract, known: request.known), measuresCoverage: request.measuresCoverage)
        judging.isRecording = true
        let records = records
        for record in records { judging.take(record) }
        var report = judging.finish(at: nil)
        report.subject = .recording
        if request.showsExchanges {
            report.exchanges = report.named.compactMap { number in
                records.indices.contains(number - 1) ? ReportedExchange(records[number - 1], &report.contract.redaction) : nil
            }
        }
        return report
    }
}
