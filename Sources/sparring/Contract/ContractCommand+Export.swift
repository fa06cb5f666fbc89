import ArgumentParser
import SparringContract
import SparringJSON

extension ContractCommand {
    struct Export: LocalCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a contract's document after its overlays, as JSON.",
            discussion: """
                For other tools, such as those that compare two versions.
                  sparring contract export khoros.openapi.yaml --overlay ours.yaml
                """)

        @Argument(help: "The document: its file's name.") var document: String
        @OptionGroup var source: Source

        func perform() async throws {
            let folder = try source.folder()
            guard let found = folder.documents[document] else {
                let hint = Nearest.hint(for: document, in: folder.documents.keys.sorted())
                throw CommandFailure(text: "there is no contract '\(Terminal.printable(document))'\(hint)", status: 64)
            }
            try Terminal.print(found.prettyText)
        }
    }
}
