import ArgumentParser
import SparringJSON

/// `--set`, for what has members that a command has no option for.
struct MembersOption: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A further member; may be given several times. A value that is not JSON is a string.", valueName: "name=JSON"),
        transform: JSONArgument.namedValue)
    var members: [(name: String, value: JSON)] = []
}
