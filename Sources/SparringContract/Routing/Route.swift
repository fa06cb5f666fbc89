internal import HTTPTypes
internal import SparringJSON

/// An operation in the form in which calls are matched against it.
final class Route: Sendable {
    let operation: ContractOperation
    /// The template of the operation's path, or of one of its aliases.
    let template: PathTemplate
    let hosts: [ServerHost]
    let vendorHosts: [ServerHost]
    let file: String
    /// Another route of equal rank fits the same calls, so only the host or the tenant can distinguish them.
    let sharesCalls: Bool
    /// The tenant can tell it from all of them.
    let isToldByTenant: Bool

    init(
        operation: ContractOperation, template: PathTemplate, hosts: [ServerHost], vendorHosts: [ServerHost], file: String,
        sharesCalls: Bool = false, isToldByTenant: Bool = false
    ) {
        (self.operation, self.template) = (operation, template)
        (self.hosts, self.vendorHosts, self.file) = (hosts, vendorHosts, file)
        (self.sharesCalls, self.isToldByTenant) = (sharesCalls, isToldByTenant)
    }

    private var segments: [PathTemplate.Segment] { template.segments }

    func fits(_ path: [ArraySlice<UInt8>]) -> Bool { template.fits(path) }

    func fits(query: [(name: String, value: String)]) -> Bool {
        operation.queryDemands.allSatisfy { $0.isMet(by: query) }
    }

    func parameters(of path: [ArraySlice<UInt8>]) -> PathParameters {
        var parameters = PathParameters(capacity: template.parameterCount)
        for index in segments.indices {
            guard let name = segments[index].parameter else { continue }
            let (text, segment) = (path[index], segments[index])
            let value = text[(text.startIndex + segment.prefix.count)..<(text.endIndex - segment.suffix.count)]
            parameters.append(name, String(decoding: value, as: UTF8.self))
        }
        return parameters
    }

    /// Whether this route is tried before the other: segment by segment from the left the more literal, then the more constants.
    func precedes(_ other: Route) -> Bool {
        for (a, b) in zip(segments, other.segments) where a.rank != b.rank { return a.rank > b.rank }
        return operation.queryDemands.count > other.operation.queryDemands.count
    }

    /// Whether some call fits both and neither precedes the other.
    func isAmbiguous(with other: Route) -> Bool {
        guard operation.method == other.operation.method, segments.count == other.segments.count, !precedes(other), !other.precedes(self),
            zip(segments, other.segments).allSatisfy({ $0.overlaps($1) })
        else { return false }
        return operation.queryDemands.allSatisfy { demand in other.operation.queryDemands.allSatisfy(demand.isMet(with:)) }
    }

    /// Whether the host or the tenant can tell it from a route of equal rank that fits the same calls.
    func isTold(from other: Route) -> Bool {
        isTold(byTenantFrom: other) || !hosts.isEmpty && !other.hosts.isEmpty && Set(hosts).isDisjoint(with: other.hosts)
    }

    /// If both vendors say where a call names its tenant, the call is for the one that has the tenant.
    func isTold(byTenantFrom other: Route) -> Bool {
        operation.vendor != other.operation.vendor && !operation.tenant.isEmpty && !other.operation.tenant.isEmpty
    }

    /// The same, which shares calls with a further route.
    func sharing(byTenant: Bool) -> Route {
        Route(
            operation: operation, template: template, hosts: hosts, vendorHosts: vendorHosts, file: file, sharesCalls: true,
            isToldByTenant: byTenant && (isToldByTenant || !sharesCalls))
    }

    /// Segments that a path may have more or fewer than what was meant.
    private static let mostStrayed = 2

    /// How far a path is from the template in edits; a parameter fits any text. Nil where it is further than `limit`.
    func distance(to path: [ArraySlice<UInt8>], atMost limit: Int, _ distances: inout EditDistance) -> Int? {
        guard abs(path.count - segments.count) <= Self.mostStrayed else { return nil }
        var last = [0]
        for text in path { last.append(last[last.count - 1] + text.count + 1) }
        for segment in segments {
            let length = segment.prefix.count + segment.suffix.count + 1
            var current = [last[0] + length]
            for (index, text) in path.enumerated() {
                var nearest = min(last[index + 1] + length, current[index] + text.count + 1)
                if last[index] <= limit { nearest = min(nearest, last[index] + segment.distance(to: text, atMost: limit, &distances)) }
                current.append(nearest)
            }
            guard current.contains(where: { $0 <= limit }) else { return nil }
            last = current
        }
        return last[path.count] <= limit ? last[path.count] : nil
    }

    /// How many segments precede the common end of a path and the template, such as 2 for `/v2/account/17/unread` and
    /// `/mock/pusher/account/{accountId}/unread`: another version or prefix of the same call. Nil unless that end has two words in common, the last
    /// one of them.
    func lead(of path: [ArraySlice<UInt8>]) -> Int? {
        guard abs(path.count - segments.count) <= Self.mostStrayed, segments.last?.parameter == nil else { return nil }
        var (length, words) = (0, 0)
        for (segment, text) in zip(segments.reversed(), path.reversed()) {
            if segment.parameter == nil {
                guard segment.prefix.elementsEqual(text) else { break }
                words += 1
            } else if text.isEmpty {
                break
            }
            length += 1
        }
        return words >= 2 ? max(path.count, segments.count) - length : nil
    }
}

extension PathTemplate.Segment {
    fileprivate func distance(to text: ArraySlice<UInt8>, atMost limit: Int, _ distances: inout EditDistance) -> Int {
        guard parameter != nil else {
            return prefix.elementsEqual(text) ? 0 : distances.between(prefix, text, atMost: limit) ?? limit + 1
        }
        return text.isEmpty
            ? 1 : text.starts(with: prefix) && text.suffix(suffix.count).elementsEqual(suffix) ? 0 : prefix.count + suffix.count
    }
}
