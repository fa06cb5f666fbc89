import SparringLocks

/// The counts of answers and of Sparring's own failures, for Prometheus.
package final class Metrics: Sendable {
    private struct Key: Hashable {
        var operation: String
        var answer: String
    }
    private let counts = Mutex<[Key: Int]>([:])
    private let failures = Atomic(0)

    /// How often Sparring itself went wrong, since the start.
    package var internalErrors: Int { failures.load(ordering: .relaxed) }

    package func failed() { failures.wrappingAdd(1, ordering: .relaxed) }

    func count(_ operation: String, _ answer: String) {
        counts.withLock { $0[Key(operation: operation, answer: answer), default: 0] += 1 }
    }

    /// Text exposition format 0.0.4 (prometheus.io, "Exposition formats"); `counters` and `gauges` are name, help and value.
    package func text(
        node: String?, counters: [(name: String, help: String, value: Int)], gauges: [(name: String, help: String, value: Int)]
    ) -> String {
        var lines =
            node.map {
                [
                    "# HELP sparring_node_info Which of several servers this is.", "# TYPE sparring_node_info gauge",
                    "sparring_node_info{node=\"\($0)\"} 1",
                ]
            } ?? []
        lines += [
            "# HELP sparring_requests_total Requests answered, by operation and by the answer's name in the contract.",
            "# TYPE sparring_requests_total counter",
        ]
        let sorted = counts.withLock { $0 }.sorted { ($0.key.operation, $0.key.answer) < ($1.key.operation, $1.key.answer) }
        for (key, count) in sorted {
            lines.append("sparring_requests_total{operation=\"\(key.operation)\",answer=\"\(key.answer)\"} \(count)")
        }
        for counter in counters {
            lines += ["# HELP \(counter.name) \(counter.help)", "# TYPE \(counter.name) counter", "\(counter.name) \(counter.value)"]
        }
        for gauge in gauges {
            lines += ["# HELP \(gauge.name) \(gauge.help)", "# TYPE \(gauge.name) gauge", "\(gauge.name) \(gauge.value)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
