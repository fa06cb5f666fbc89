import Foundation
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON

/// The scripts that a probe can play: the vendors' refusals, made from the contracts, then the transcripts that are shipped.
struct ProbeScripts {
    /// The folder of the transcripts.
    let folder: String
    let contracts: [Contract]
    /// Members that hold the tenants' ids, by vendor.
    let tenantKeys: [String: String]
    /// Settings of the vendors' accounts; empty where none are given.
    let configured: JSON.Object

    /// - Parameters:
    ///   - vendors: whose scripts they are.
    ///   - wanted: names, patterns of names, or files; empty: all.
    /// - Throws: ``CommandFailure`` for a transcript that cannot be read, and for a name that fits none.
    func scripts(of vendors: Set<String>, _ wanted: [String]) throws -> [ProbeScript] {
        let refusals = contracts.filter { vendors.contains($0.vendor) }.map { contract -> ProbeScript in
            let key = tenantKeys[contract.vendor] ?? ""
            return ProbeRefusals(contract, account: configured[contract.vendor]?[key]?.string).script(tenantKey: key).with(configured)
        }
        let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".txt") }
            .map { String($0.dropLast(4)) }.filter { name in vendors.contains { name.hasPrefix($0 + "/") } }.sorted()
        guard !wanted.isEmpty else {
            // Their accounts are somebody else's, or nobody's.
            let known = names.filter { name in configured.keys.contains { name.hasPrefix($0 + "/") } }
            return refusals + (try known.map { try read("\(folder)/\($0).txt", $0) })
        }
        var scripts: [ProbeScript] = []
        for word in wanted {
            let found =
                refusals.filter { fnmatch(word, $0.name, 0) == 0 }
                + (try names.filter { fnmatch(word, $0, 0) == 0 }.map { try read("\(folder)/\($0).txt", $0) })
            if found.isEmpty, FileManager.default.fileExists(atPath: word) {
                scripts.append(try read(word, Self.name(of: word, vendors)))
            } else if found.isEmpty {
                throw Self.unknown(word, vendors, refusals.map(\.name) + names)
            }
            scripts += found
        }
        return scripts
    }

    private static func unknown(_ word: String, _ vendors: Set<String>, _ known: [String]) -> CommandFailure {
        if word.hasSuffix(".txt") || word.hasPrefix(".") || word.hasPrefix("/") {
            return CommandFailure(text: "--transcript: \(Terminal.printable(word)): there is no such file", status: 66)
        }
        let reason = "--transcript: no transcript of \(vendors.sorted().joined(separator: ", ")) is called \(word.quoted)"
        let hint = CommandFailure.hint(for: word, in: known)
        let others = known.count > mostShown ? " and \(known.count - mostShown) more" : ""
        let all = hint.isEmpty ? "; there are \(known.prefix(mostShown).joined(separator: ", "))\(others)" : hint
        return CommandFailure(text: Terminal.printable(reason) + all, status: 64)
    }

    /// Names that a message lists at most.
    private static let mostShown = 8

    /// A file in a folder that is called as a vendor is that vendor's.
    private static func name(of file: String, _ vendors: Set<String>) -> String {
        let url = URL(fileURLWithPath: file).deletingPathExtension()
        let folder = url.deletingLastPathComponent().lastPathComponent
        return "\(vendors.contains(folder) ? folder : vendors.sorted()[0])/\(url.lastPathComponent)"
    }

    private func read(_ file: String, _ name: String) throws -> ProbeScript {
        guard let text = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(text: "\(file) cannot be read", status: 66)
        }
        do { return try ProbeScript(name: name, Transcript(String(decoding: text, as: UTF8.self))).with(configured) } catch {
            throw CommandFailure(text: "\(file): \(error)", status: 65)
        }
    }
}
