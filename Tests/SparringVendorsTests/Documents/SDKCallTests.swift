import Foundation
import HTTPTypes
import SparringContract
import Testing

/// The list of what the vendors' clients call says what Sparring answers, and the page says the same.
@Suite struct SDKCallTests {
    private static let isRecording = ProcessInfo.processInfo.environment["SPARRING_RECORD"] != nil

    @Test func `each row names an operation, or says in a sentence why there is none`() throws {
        let rows = try SDKCallTable().rows
        #expect(rows.count > 150)
        for row in rows {
            let comment = Comment(rawValue: "\(row.client): \(row.call)")
            #expect(row.answers.count == 1 && (row.method == nil) == (row.path == nil), comment)
            for text in [row.vendor, row.client, row.host, row.purpose, row.source] {
                #expect(!text.isEmpty && !text.contains("|"), comment)
            }
            for answer in row.answers {
                switch answer {
                case .operation(let name): #expect(SDKCallTable.operations[name] != nil && row.path != nil, comment)
                case .notEmulated(let why), .elsewhere(let why): #expect(why.hasSuffix(".") && !why.contains("|"), comment)
                }
            }
        }
    }

    @Test func `each call is led to its operation, and one that is not emulated to none`() throws {
        let routes = try Routes(ContractExamples.contracts)
        for row in try SDKCallTable().rows {
            guard let method = row.method else { continue }
            let comment = Comment(rawValue: "\(row.client): \(row.call)")
            for answer in row.answers {
                switch answer {
                case .operation(let name):
                    let target = try #require(row.target(of: SDKCallTable.operations[name]), comment)
                    let found = Self.names(routes.match(method: method, target: target, host: nil))
                    #expect(found.contains(name), "\(row.client): \(row.call) is led to \(found)")
                case .notEmulated:
                    let target = try #require(row.target(), comment)
                    // Nor does another method have an operation there: the page promises 404.
                    guard case .notFound = routes.match(method: method, target: target, host: nil) else {
                        Issue.record("\(row.client): \(row.call) is led to something")
                        continue
                    }
                case .elsewhere: break
                }
            }
        }
    }

    @Test func `the page is made of it`() throws {
        let table = try SDKCallTable()
        if Self.isRecording { try table.page.record(table.text) }
        #expect(try table.page.rows == table.text, "the page What-SDKs-call says otherwise; SPARRING_RECORD=1 records it again")
    }

    private static func names(_ match: Routes.Match) -> [String] {
        switch match {
        case .found(let operation, _): [operation.qualifiedName]
        case .shared(let candidates): candidates.map(\.operation.qualifiedName)
        case .wrongMethod, .malformedTarget, .notFound: []
        }
    }
}
