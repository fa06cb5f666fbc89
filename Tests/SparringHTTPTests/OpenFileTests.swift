import Glibc
@testable import SparringHTTP
import Testing

@Suite struct OpenFileTests {
    private static func socket() throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        return descriptor
    }

    @Test func `a descriptor is closed once`() throws {
        let file = OpenFile(try Self.socket())
        #expect(file.close())
        #expect(!file.close(), "its number stands for no file, or for another test's")
    }

    @Test func `a file that has taken the number over stays open`() throws {
        let number = try Self.socket()
        let file = OpenFile(number)
        // In one step, so that no other thread gets the number between.
        let other = try Self.socket()
        try #require(dup2(other, number) == number)
        #expect(!file.close())
        #expect(fcntl(number, F_GETFD) >= 0)
        for descriptor in [number, other] { Glibc.close(descriptor) }
    }

    @Test func `what was never open is not closed`() { #expect(!OpenFile(-1).close()) }
}
