internal import SparringJSON

/// The names that overlays took from an operation while they gave it others: most likely it was renamed, which must be declared.
struct ReplacedNames {
    let shipped: Contract
    let changed: Contract

    var warnings: [OverlayWarning] {
        changed.operations.compactMap { operation in
            shipped.operation(operation.id).flatMap { shipped in
                warning(
                    operation.id, operation.place.file, operation.place.line, shipped.canonicalPlaces + shipped.canonicalAnswerPlaces,
                    operation.canonicalPlaces + operation.canonicalAnswerPlaces)
            }
        }
            + changed.channels.flatMap(\.sent).compactMap { message in
                shipped.channels.flatMap(\.sent).first { $0.id == message.id }.flatMap { shipped in
                    warning(
                        message.id, message.schema.place.file, message.schema.place.line, shipped.canonicalPlaces, message.canonicalPlaces)
                }
            }
    }

    private func warning(_ id: String, _ file: String, _ line: Int, _ before: [String], _ after: [String]) -> OverlayWarning? {
        let gone = unique(before, without: Set(after))
        let new = unique(after, without: Set(before))
        guard let first = gone.first, !new.isEmpty else { return nil }
        let name = first.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? first
        return OverlayWarning(
            file: file, line: line,
            message:
                "\(id): \(gone.joined(separator: ", ")) is gone and \(new.joined(separator: ", ")) is new: what has only another name needs "
                + "x-stands-for, such as 'x-stands-for: \(name)', or Sparring does not find it")
    }

    private func unique(_ places: [String], without others: Set<String>) -> [String] {
        var seen = others
        return places.filter { seen.insert($0).inserted }
    }
}
