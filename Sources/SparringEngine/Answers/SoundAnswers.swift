import HTTPTypes
import SparringContract
import SparringHTTP
import SparringLocks

/// Answers that were found to be as the contract says: the very same one need not be held against its schema again.
final class SoundAnswers: Sendable {
    private static let limit = 4096
    private let hashes = Mutex<Set<Int>>([])

    func knows(_ operation: ContractOperation, _ name: String, _ response: Response) -> Bool {
        let hash = Self.hash(operation, name, response)
        return hashes.withLock { $0.contains(hash) }
    }

    func learn(_ operation: ContractOperation, _ name: String, _ response: Response) {
        let hash = Self.hash(operation, name, response)
        hashes.withLock { hashes in
            if hashes.count >= Self.limit { hashes.removeAll(keepingCapacity: true) }
            hashes.insert(hash)
        }
    }

    private static func hash(_ operation: ContractOperation, _ name: String, _ response: Response) -> Int {
        var hasher = Hasher()
        hasher.combine(operation)
        hasher.combine(name)
        hasher.combine(response.status)
        for field in response.headers {
            hasher.combine(field.name.rawName)
            hasher.combine(field.value)
        }
        if case .bytes(let bytes) = response.body { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
        return hasher.finalize()
    }
}
