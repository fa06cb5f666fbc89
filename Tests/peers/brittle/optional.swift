// Asks LivePerson which engagement to show, and in which language.

import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Answer: Codable {
    struct Engagement: Codable {
        let engagementId: Int
        let windowId: String?
        let language: String  // The mistake: the contract calls it optional. It is there today.
    }

    let sessionId: String
    let engagementDetails: [Engagement]?
}

struct Failure: Error { let text: String }

func setting(_ name: String) -> String { ProcessInfo.processInfo.environment["SPARRING_" + name] ?? "" }

do {
    let path = "/api/account/\(setting("LIVEPERSON_ACCOUNT_ID"))/app/com.brand.shop/engagement?v=1.1"
    guard let url = URL(string: setting("URL") + path) else { throw Failure(text: "set SPARRING_URL") }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(#"{"entryPoints": ["sec://Sport"], "clientProperties": {"deviceFamily": "MOBILE", "os": "IOS"}}"#.utf8)
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw Failure(text: "status \(status)") }

    let answer = try JSONDecoder().decode(Answer.self, from: data)
    if let engagement = answer.engagementDetails?.first {
        print("shows engagement \(engagement.engagementId) in \(engagement.language)")
    } else {
        print("shows nothing")
    }
} catch {
    print("cannot show the engagement: \(error)")
    exit(1)
}
