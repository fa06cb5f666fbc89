import SparringAdmin
import SparringJSON
import SparringJournal
import SparringSandbox

/// The lines that `serve` prints on a terminal: one for each call, and for whatever matches no sandbox.
struct LiveLog {
    private static let interval = Duration.milliseconds(100)
    let server: Server

    /// A call that fits no operation is also in the journal of the sandbox that its path names; the entry among the unplaced calls says more.
    private static func isToldTwice(_ sight: Lookout.Sight) -> Bool {
        sight.sandbox != nil && sight.entry["kind"] == "finding"
            && sight.entry["findings"]?.array?.contains { $0["code"]?.string == Finding.unplaced } == true
    }

    /// Prints until it is cancelled.
    func run() async {
        guard var lookout = try? await Lookout(server) else { return }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            guard let sights = try? await lookout.look(), let width = Terminal.width else { return }
            let isAlone = server.world.count == 1
            for sight in sights where !Self.isToldTwice(sight) {
                let line =
                    sight.sandbox.map { EntryLine.text(sight.entry, width: width, sandbox: isAlone ? nil : $0) }
                    ?? EntryLine.text(unplaced: sight.entry)
                guard (try? Terminal.print(line)) != nil else { return }
            }
        }
    }
}
