import ArgumentParser
import SparringJSON

/// How a client is judged by what is varied.
struct VaryRunOptions: ParsableArguments {
    @OptionGroup var variation: VariationOptions
    @Flag(
        name: .customLong("vary-together"),
        help: "Run the command once with everything that --vary names, instead of once for each family.") var together = false
    @Option(
        name: .customLong("vary-file"),
        help: ArgumentHelp(
            "File that keeps the variations that break the client; the next run plays them first. Default: vary.json.", valueName: "file"),
        completion: .file())
    var file = "vary.json"
    @Option(name: .customLong("max-runs"), help: "With --vary, run the command at most this many times. Default: 200.") var runs: Int?
    @Option(
        name: .customLong("max-time"), help: ArgumentHelp("With --vary, start no run after this time, such as 10m.", valueName: "duration"))
    var time: String?

    func validate() throws {
        if together, variation.vary == nil { throw ValidationError("--vary-together needs --vary, such as --vary 7") }
        if let runs, runs < 2 { throw ValidationError("--max-runs must be 2 or more: the first run is without variation.") }
        if let time, Duration(text: time) == nil { throw ValidationError("--max-time: \(Duration.refusal(of: time)).") }
        for (option, isGiven) in [("--max-runs", runs != nil), ("--max-time", time != nil)] where isGiven && isPlain {
            if variation.vary == nil { throw ValidationError("\(option) needs --vary, such as --vary 7") }
            throw ValidationError(
                "\(option) and \(together ? "--vary-together" : "--vary-only") cannot be used together: the command is run once.")
        }
    }

    /// The command is run once: what is varied is named, or all of it is meant.
    var isPlain: Bool { variation.vary == nil || together || !variation.only.isEmpty }

    var budget: VaryBudget { VaryBudget(runs: runs ?? 200, time: time.flatMap(Duration.init(text:)), words: time ?? "") }
}
