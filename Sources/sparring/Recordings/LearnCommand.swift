import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON

/// `sparring learn`
struct LearnCommand: LocalCommand {
    static let abstract = "Propose corrections to contracts, Sparring's answers and settings, from recordings and probes."
    static let discussion = """
        Reads HTTP Archives and the output of 'probe --proposals', plays the archives against fresh sandboxes, and lists the changes \
        that would make contracts and Sparring match the vendor. Nothing changes until you accept it. Writes accepted corrections as \
        overlays, one for each of the contracts' files, and settings as a configuration file; never writes to an existing file.
          sparring learn traffic.har
          sparring learn traffic.har proposals.json --accept 1,4-6 --out vendor
          sparring learn traffic.har --accept all --out vendor
          sparring serve --overlay vendor/asapp.openapi.yaml
        """

    @Argument(help: "HTTP Archives, and proposals of a probe.", completion: .file()) var files: [String]
    @OptionGroup var named: HostOptions
    @Option(
        help: ArgumentHelp("Settings of the vendor's account that the archives do not show, as of a sandbox.", valueName: "file"),
        completion: .file())
    var config: String?
    @Option(
        name: .customLong("accept"),
        help: ArgumentHelp(
            "Proposals to accept: a number, a range such as 4-6, a kind, an operation, or 'all'. May be given several times.",
            valueName: "which"))
    var accepted: [String] = []
    @Option(help: ArgumentHelp("The folder in which accepted proposals are written.", valueName: "folder"), completion: .directory)
    var out = "learnt"
    @Flag(help: "Print the proposals as JSON.") var json = false
    @OptionGroup var overlays: OverlayOptions

    /// 1 would say that there is something to learn.
    static let refusal: Int32 = 64

    func perform() async throws {
        let resources = try Resources.locate()
        let given = try overlays.read()
        let folder = try ContractFolder(path: resources.contracts, overlays: given)
        let proposals = try await learn(resources, folder)
        guard !accepted.isEmpty else {
            try Terminal.print(json ? proposals.json.text : LearnText.list(proposals))
            return
        }
        let chosen = try ProposalChoice(words: accepted).chosen(of: proposals.all)
        try LearntFiles(folder: out, contracts: resources.contracts, overlays: given).write(chosen)
    }

    private func learn(_ resources: Resources, _ folder: ContractFolder) async throws -> Proposals {
        let configured = try config.map { try ConfigurationFile.read($0) }
        var (proposals, learner, count) = (Proposals(), Learner(folder.contracts), 0)
        for file in files {
            let json = try RecordingOptions.json(of: file)
            if json["proposals"] != nil {
                do { proposals.add(try Proposals(json)) } catch {
                    throw CommandFailure(text: "\(file): \(error.pointer): \(error.message)", status: 65)
                }
                count += 1
                continue
            }
            let archive = try RecordingOptions.archive(json, file)
            var reader = try RecordingReader(folder.contracts, hosts: named.hosts)
            reader.take(archive)
            count += reader.count
            let replay: Replay
            do {
                replay = try await Replay.run(archive, reader, configured: configured) { try PrivateServer.make(resources, folder) }
            } catch { throw CommandFailure(text: "\(file): the sandbox of the recording cannot be made: \(error)", status: 65) }
            await learner.take(reader, replay) { [reader] tried in
                try await Replay.run(archive, reader, configured: configured, trying: tried) { try PrivateServer.make(resources, folder) }
            }
        }
        if count == 0 {
            throw CommandFailure(
                text: "no call in \(files.joined(separator: ", ")) goes to a vendor; --host names a vendor's host", status: 2)
        }
        proposals.add(learner.proposals)
        return proposals
    }
}
