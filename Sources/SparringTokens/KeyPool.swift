import Foundation
import SparringLocks

/// The private test keys of a folder: making an RSA key takes a quarter of a second, so that none is made at run time.
/// A key is parsed when it is first asked for, and kept.
public final class KeyPool: Sendable {
    private enum Slot: Sendable {
        case unread(PEMBlock, file: String)
        case read(SigningKey)
    }

    private let folder: String
    private let slots: Mutex<[SigningAlgorithm: [Slot]]>

    private static let prefixes: KeyValuePairs<SigningAlgorithm, String> = [.rs256: "rsa-", .es256: "ec-"]

    /// Loads `rsa-*.pem` and `ec-*.pem`, each sorted by name.
    ///
    /// - Throws: where the folder cannot be read or has no such file, or a file is no PEM; it names the file.
    public init(folder: String) throws(TokenError) {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw TokenError("key pool \(folder): the folder cannot be read")
        }
        var slots: [SigningAlgorithm: [Slot]] = [:]
        for (algorithm, prefix) in Self.prefixes {
            for file in files where file.hasPrefix(prefix) && file.hasSuffix(".pem") {
                let path = folder + "/" + file
                guard let content = FileManager.default.contents(atPath: path) else { throw TokenError("\(path): the file cannot be read") }
                do throws(TokenError) {
                    slots[algorithm, default: []].append(.unread(try PEMBlock(String(decoding: content, as: UTF8.self)), file: path))
                } catch {
                    throw TokenError("\(path): \(error)")
                }
            }
        }
        guard !slots.isEmpty else { throw TokenError("key pool \(folder): neither rsa-*.pem nor ec-*.pem") }
        self.folder = folder
        self.slots = Mutex(slots)
    }

    /// The RSA key of an index; past the last one it starts again at the first.
    ///
    /// - Throws: where the pool has none, or its file holds no RSA key; it names the file.
    public func rsa(_ index: Int) throws(TokenError) -> SigningKey { try key(index, for: .rs256, files: "rsa-*.pem") }

    /// The P-256 key of an index, as ``rsa(_:)``.
    public func ec(_ index: Int) throws(TokenError) -> SigningKey { try key(index, for: .es256, files: "ec-*.pem") }

    private func key(_ index: Int, for algorithm: SigningAlgorithm, files: String) throws(TokenError) -> SigningKey {
        try slots.withLock { (slots: inout [SigningAlgorithm: [Slot]]) throws(TokenError) -> SigningKey in
            guard let ofKind = slots[algorithm] else { throw TokenError("key pool \(folder): no \(files)") }
            let place = (index % ofKind.count + ofKind.count) % ofKind.count
            switch ofKind[place] {
            case .read(let key): return key
            case .unread(let block, let file):
                let key: SigningKey
                do throws(TokenError) { key = try SigningKey(block) } catch { throw TokenError("\(file): \(error)") }
                guard key.algorithm == algorithm else {
                    throw TokenError("\(file): a key for \(key.algorithm.rawValue) instead of \(algorithm.rawValue)")
                }
                slots[algorithm]?[place] = .read(key)
                return key
            }
        }
    }
}
