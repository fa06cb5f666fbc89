import Foundation
import Support
import Testing

/// The helper that runs programs for the other tests.
@Suite struct CommandTests {
    @Test func `arguments, environment, input and folder reach a program, and what it says comes back`() async throws {
        var command = Command("sh", "-c", "echo $0 $WORD; pwd; cat; echo sorry >&2; exit 3", "first")
        command.environment = ["WORD": "second"]
        command.input = "read\n"
        command.folder = "/"
        let end = try await command.run()
        #expect(end.status == 3 && end.output == "first second\n/\nread\n" && end.errors == "sorry\n", "\(end)")
        await #expect(throws: Command.Failed.self) { try await command.output() }
    }

    @Test func `more than a pipe holds is read from both streams at once`() async throws {
        let end = try await Command("sh", "-c", "head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero").run()
        #expect(end.status == 0 && end.output.utf8.count == 1_000_000 && end.errors.utf8.count == 1_000_000)
    }

    /// Foundation's `Process` dies of as many.
    @Test func `a program is run, and inherits nothing, while thousands of descriptors are open`() async throws {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        let opened = (0..<2500).map { _ in open("/dev/null", O_RDONLY) }
        defer { for one in opened where one >= 0 { close(one) } }
        try #require(!opened.contains(-1))
        for _ in 0..<10 { #expect(try await Command("ls", "/proc/self/fd").output() == "0\n1\n2\n3\n") }
    }

    @Test(arguments: ["/dev/null/program", "no-such-program"]) func `what is not there is an error`(program: String) async throws {
        await #expect { try await Command(program).run() } throws: { "\($0)".contains(program) }
        await #expect { try await RunningCommand(Command(program)) } throws: { "\($0)".contains(program) }
    }

    @Test func `a running program's lines are there when it has printed them, and its end tells the signal`() async throws {
        let running = try await RunningCommand(Command("sh", "-c", "trap 'echo heard >&2' HUP; echo ready; while :; do sleep 0.01; done"))
        var lines = running.output.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        kill(running.pid, SIGHUP)
        var errors = running.errors.makeAsyncIterator()
        #expect(await errors.next() == "heard")
        kill(running.pid, SIGTERM)
        #expect(try await running.end() == 128 + SIGTERM)
        #expect(await lines.next() == nil)
        #expect(await errors.next() == nil)
    }
}
