import Foundation
import SparringAdmin
import SparringContract
import SparringHTTP
import SparringSandbox

/// The places of the contracts and the fixtures that belong to this binary.
struct Resources {
    var contracts: String
    /// The pool of test keys.
    var keys: String
    var scenarios: String
    /// The files of the live page.
    var page: String
    /// The files that this build has checked already; nil in a checkout.
    var checked: CheckedFiles?
    /// The folder of all resources.
    var home: String

    /// The commit that an installed program was built from; nil in a checkout.
    static var commit: String? {
        let share = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
        let text = FileManager.default.contents(atPath: share.appendingPathComponent("share/sparring/commit").path)
        let commit = text.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
        return commit.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Beside an installed binary in `../share/sparring`, else in the checkout that it was built in.
    ///
    /// - Parameters: folders to be taken in place of those.
    static func locate(contracts: String? = nil, scenarios: String? = nil) throws -> Resources {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        var candidates = [executable.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("share/sparring")]
        var folder = executable.deletingLastPathComponent()
        while folder.path != "/" {
            candidates.append(folder)
            folder.deleteLastPathComponent()
        }
        guard let home = candidates.first(where: { exists($0, "contracts/admin.openapi.yaml") && exists($0, "fixtures/keys") }) else {
            throw ToolError(
                "no contracts and fixtures beside \(executable.path): looked in ../share/sparring and in the folders above it", .unreadable)
        }
        return Resources(
            contracts: contracts ?? home.appendingPathComponent("contracts").path, keys: home.appendingPathComponent("fixtures/keys").path,
            scenarios: scenarios ?? home.appendingPathComponent("fixtures/scenarios").path,
            page: home.appendingPathComponent(home == candidates[0] ? "page" : "Sources/SparringAdmin/Page/files").path,
            checked: CheckedFiles(in: home.path, build: BuildIdentity.current), home: home.path)
    }

    /// Shortens a server's start by what this build has left in the folder.
    func shorten(_ options: inout Server.Options) {
        options.checked = checked
        if checked != nil { EmptyDatabase.takeUp(from: home, build: BuildIdentity.current) }
    }

    /// `$XDG_DATA_HOME/sparring`, else `~/.local/share/sparring` (XDG Base Directory Specification).
    static var authorityFolder: String {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/sparring" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/sparring"
    }

    /// The certificate authority of a server on this machine.
    ///
    /// - Parameter folder: nil: ``authorityFolder``.
    /// - Throws: ``CommandFailure``.
    static func authority(in folder: String?) throws -> LocalAuthority {
        do { return try LocalAuthority.load(or: folder ?? authorityFolder) } catch {
            let way = "; --ca-folder names another folder for it, and XDG_DATA_HOME for all of Sparring's files"
            throw CommandFailure(text: "\(error)" + (error.isUnwritable ? way : ""), status: error.isUnwritable ? 73 : 65)
        }
    }

    private static func exists(_ folder: URL, _ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }
}
