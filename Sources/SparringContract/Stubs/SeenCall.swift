package import SparringJSON

/// A call that was seen at a vendor, and that no contract has.
package struct SeenCall {
    let method: String
    let target: String
    let status: Int
    let mediaType: String?
    let body: JSON?

    package init(method: String, target: String, status: Int, mediaType: String?, body: JSON?) {
        (self.method, self.target, self.status, self.mediaType, self.body) = (method, target, status, mediaType, body)
    }

    /// A stub that answers as the vendor did.
    package struct Stub {
        /// Its operation's.
        package let id: String
        package let path: String
        /// The name of the contract's file.
        package let document: String
        /// Actions of an Overlay 1.1.
        package let actions: [JSON]
    }

    /// - Returns: nil for what no stub can answer.
    package func stub(in contract: Contract) -> Stub? {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard !path.contains(where: { "'{}".contains($0) || $0.isWhitespace }), let call = try? StubCall("\(method) \(path)") else {
            return nil
        }
        let calls = contract.operations.filter { $0.channel == nil }
        guard let kin = call.kin(among: calls) else { return nil }
        let template = call.path(like: kin)
        let form: JSON = .members([
            "call": .string("\(method) \(template)"), "status": .integer(Int64(status)),
            "type": body == nil ? nil : mediaType.map { .string($0) }, "body": body, "vendor": .string(contract.vendor),
        ])
        guard let stub = try? StubForm(form), let defined = try? DefinedStub(id: stub.name(in: contract, beside: [:]), stub.configured),
            let action = try? StubOverlay([defined], contract).action(for: defined)
        else { return nil }
        let file = (calls.first?.file ?? contract.file).split(separator: "/").last.map(String.init) ?? ""
        return Stub(id: defined.id, path: template, document: file, actions: [action])
    }
}
