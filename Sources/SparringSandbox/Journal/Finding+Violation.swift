public import SparringContract
public import SparringJournal

extension Finding {
    /// A violation of the contract.
    public init(_ violation: Violation) {
        self.init(violation.kind.rawValue, at: violation.place, violation.description)
        if violation.member != violation.pointer { member = violation.memberPlace }
        basis = violation.basis.map(Basis.init)
        actions = violation.actions
    }

    /// A client's frame that is none of its channel's messages.
    ///
    /// - Parameter opener: the operation that opened the socket.
    package init(_ mismatch: ChannelMismatch, openedBy opener: ContractOperation) {
        let code =
            switch mismatch.kind {
            case .unknown: Cause.misunderstood
            case .misspelt: Self.misspelt
            case .syntax: Violation.Kind.syntax.rawValue
            }
        self.init(code, at: "message:\(mismatch.name)", mismatch.reason + mismatch.hint)
        meant = mismatch.meant?.qualifiedName
        basis = Basis((mismatch.meant ?? opener).place)
    }
}

extension Finding.Basis {
    public init(_ place: ContractPlace) {
        self.init(
            document: Self.name(place.document), path: place.path, file: place.file == place.document ? nil : place.file, line: place.line)
    }

    /// The file's name without its folders: the journal does not say where the contracts are.
    private static func name(_ file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }
}

extension Cause {
    package static func fault(_ number: Int) -> Cause { Cause("fault \(number)", code: fault, fault: number) }

    /// Sparring itself went wrong.
    package static func failed(_ error: any Error) -> Cause { Cause("Sparring failed: \(error)", code: failed) }
}
