import ArgumentParser
import SparringJSON

/// `sparring fault`
struct FaultCommand: WordedCommand {
    static let abstract = "Arm, list and remove faults."
    static let discussion = """
        A fault is a deliberate disturbance: WHERE EFFECT key=value …
          sparring fault add 'liveperson.Login.* token-expired times=2'
        """
    static var subcommands: [any ParsableCommand.Type] { [Add.command, List.command, Remove.command, Effects.self] }

    struct Add: SandboxVerb {
        static let abstract = "Arm a fault."
        static let discussion = """
            WHERE   vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *
            EFFECT  the name of an unhappy answer in the contract, such as
                    token-expired, code-reused, bad-signature; or a word such as
                    status, delay, STALL, close: 'sparring fault effects' lists all
            phase   onRequestStart, onRequestBody, onRequestEnd (nothing was
                    decided), onResponseStart (decided, the answer is lost),
                    onResponseBody, onResponseEnd
            when    times=2, skip=1, every=3, probability=0.3, per=sandbox|lane,
                    ttl=31s, between=10s..40s
            whom    account=, subject=, header:NAME=, body:/pointer=,
                    message= (its text), message:/pointer=, each with '*'
                    for any characters

            body=@FILE reads the body for 'status' from a file.
            Quote texts that contain '*'.
              sparring fault add identity.token code-reused times=2
              sparring fault add '*.Login.* status code=503 retry-after=30s every=3'
            """

        @Argument(help: "The fault, as one argument or several.", completion: KnownNames.selectors) var text: [String]

        func validate() throws {
            if text.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
                throw ValidationError("the fault is empty; write one such as \(FaultFile.example)")
            }
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            let fault = try FaultFile.read(text.joined(separator: " "))
            try await sandbox.show(.armFault, body: ["fault": .string(fault)]) { Self.text($0, in: sandbox.name) }
            for match in fault.matches(of: /(?:^| )subject=([^ *"]+)(?= |$)/) {
                try await sandbox.noteLanes(otherThan: String(match.1), as: "subject")
            }
        }

        static func text(_ fault: JSON, in sandbox: String) -> String {
            let armed = "armed fault \(fault["number"]?.text ?? "") in \(sandbox): \(Terminal.printable(fault["text"]?.string ?? ""))"
            return armed + (fault["caveat"]?.string.map { "\n" + Terminal.styled("  (\($0))", .dim) } ?? "")
        }
    }

    struct List: SandboxVerb {
        static let abstract = "List the armed faults."
        static let discussion = """
            'hits' is how often a fault struck, 'left' how often it still will, 'matched' how many calls it could have struck.
              sparring fault list --sandbox checkout
            """

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.listFaults) { Self.text($0, in: sandbox.name) }
        }

        static func text(_ json: JSON, in sandbox: String) -> String {
            let none = "no faults are armed in \(sandbox)"
            return Table.text("number", "hits", "left", "matched", "fault", of: json["faults"]?.array, none: none) { fault in
                ["number", "hits", "left", "matched"].map { fault.plain($0, or: "-") } + fault.cells("text")
            }
        }
    }

    struct Remove: SandboxVerb {
        static let abstract = "Remove a fault, or all."
        static let discussion = "  sparring fault remove 1\n  sparring fault remove --all"

        @Argument(help: "The fault's number, as 'fault list' shows it.") var number: Int?
        @Flag(help: "Remove all faults of the sandbox.") var all = false

        func validate() throws {
            if (number == nil) != all { throw ValidationError("Give a fault's number, or --all.") }
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            let what = number.map { "fault \($0)" } ?? "all faults"
            let done = "removed \(what) from \(sandbox.name)"
            try await sandbox.call(number == nil ? .clearFaults : .removeFault, ["fault": number], saying: done)
        }
    }
}
