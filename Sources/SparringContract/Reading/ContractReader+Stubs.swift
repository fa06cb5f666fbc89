internal import SparringJSON

extension ContractReader {
    /// `true`, or the name of the answer that it gives (`x-stub`).
    ///
    /// - Parameters:
    ///   - parameters: of the call, or of the call that opens the socket of a message.
    ///   - hasBody: values of the body may stand in the examples.
    func stub(
        _ node: YAMLNode?, _ answers: [DeclaredAnswer], _ parameters: [ContractParameter], hasBody: Bool
    ) throws(ContractError) -> Stub? {
        guard let node else { return nil }
        var chosen = (answers.first { !$0.isUnhappy } ?? answers.first)?.name
        if case .scalar("true", isPlain: true) = node.content {
        } else if case .scalar("false", isPlain: true) = node.content {
            return nil
        } else {
            let name = try string(node, spelled: .answer, "x-stub")
            guard answers.contains(where: { $0.name == name }) else {
                throw error("x-stub: the operation has no answer '\(name)'\(Nearest.hint(for: name, in: answers.map(\.name)))", at: node)
            }
            chosen = name
        }
        for answer in answers {
            for example in [answer.example].compactMap(\.self) + answer.headers.compactMap(\.example) {
                do throws(StubTextError) {
                    for value in try example.stubValues() { try verify(value, parameters, hasBody: hasBody) }
                } catch {
                    throw self.error("answer '\(answer.name)' of the stub: \(error.reason)", at: node)
                }
            }
        }
        return Stub(answer: chosen)
    }

    private func verify(_ value: StubValue, _ parameters: [ContractParameter], hasBody: Bool) throws(StubTextError) {
        guard case .request(let place) = value else { return }
        func named(_ name: String, _ location: ContractParameter.Location) throws(StubTextError) {
            guard
                !parameters.contains(where: {
                    place.isSame(as: RequestPlace($0.location, $0.name)) || $0.standsFor?.isSame(as: place) == true
                })
            else { return }
            let known = parameters.filter { $0.location == location }.map(\.name)
            throw StubTextError(reason: "'\(name)' is not a declared \(location) parameter\(Nearest.hint(for: name, in: known))")
        }
        switch place {
        case .path(let name): try named(name, .path)
        case .query(let name): try named(name, .query)
        case .header(let name): try named(name, .header)
        case .body: if !hasBody { throw StubTextError(reason: "a value of the body is wanted, and the operation has no requestBody") }
        }
    }
}
