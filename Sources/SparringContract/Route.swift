internal import HTTPTypes

/// An operation in the form in which calls are matched against it.
struct Route: Sendable {
    let operation: ContractOperation
    let hosts: [ServerHost]
    let file: String
    /// Whether another route of equal rank fits the same calls, so that only the host tells them apart.
    var sharesCalls = false

    private var segments: [PathTemplate.Segment] { operation.template.segments }

    func fits(_ path: [ArraySlice<UInt8>]) -> Bool {
        let segments = operation.template.segments
        for index in segments.indices {
            let length = segments[index].prefix.count
            if segments[index].parameter == nil {
                guard segments[index].prefix.elementsEqual(path[index]) else { return false }
            } else {
                // A parameter is never empty, so `/a/` is no `/a/{id}`.
                guard path[index].count > length + segments[index].suffix.count, path[index].starts(with: segments[index].prefix),
                    path[index].suffix(segments[index].suffix.count).elementsEqual(segments[index].suffix)
                else { return false }
            }
        }
        return true
    }

    func fits(query: [(name: String, value: String)]) -> Bool {
        operation.queryConstants.allSatisfy { constant in
            query.first { $0.name == constant.name }?.value == constant.value
        }
    }

    func parameters(of path: [ArraySlice<UInt8>]) -> [String: String] {
        var parameters: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            guard let name = segment.parameter else { continue }
            parameters[name] = String(decoding: text.dropFirst(segment.prefix.count).dropLast(segment.suffix.count), as: UTF8.self)
        }
        return parameters
    }

    /// Whether this route is tried before the other: segment by segment from the left the more literal, then the more constants.
    func precedes(_ other: Route) -> Bool {
        for (a, b) in zip(segments, other.segments) where a.rank != b.rank { return a.rank > b.rank }
        return operation.queryConstants.count > other.operation.queryConstants.count
    }

    /// Whether some call fits both and neither precedes the other.
    func isAmbiguous(with other: Route) -> Bool {
        guard operation.method == other.operation.method, segments.count == other.segments.count, !precedes(other), !other.precedes(self),
            zip(segments, other.segments).allSatisfy({ $0.overlaps($1) })
        else { return false }
        return operation.queryConstants.allSatisfy { constant in
            other.operation.queryConstants.allSatisfy { $0.name != constant.name || $0.value == constant.value }
        }
    }

    /// How far a path is from the template in edits; a parameter fits any text.
    func distance(to path: [ArraySlice<UInt8>]) -> Int {
        var last = [0]
        for text in path { last.append(last[last.count - 1] + text.count + 1) }
        for segment in segments {
            let length = segment.prefix.count + segment.suffix.count + 1
            var current = [last[0] + length]
            for (index, text) in path.enumerated() {
                let replaced = last[index] + segment.distance(to: text)
                current.append(min(last[index + 1] + length, current[index] + text.count + 1, replaced))
            }
            last = current
        }
        return last[path.count]
    }
}

extension PathTemplate.Segment {
    fileprivate func distance(to text: ArraySlice<UInt8>) -> Int {
        guard parameter != nil else { return prefix.elementsEqual(text) ? 0 : NearestWord.distance(prefix, text) }
        return text.isEmpty
            ? 1 : text.starts(with: prefix) && text.suffix(suffix.count).elementsEqual(suffix) ? 0 : prefix.count + suffix.count
    }
}
