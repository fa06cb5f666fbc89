// Starts an interaction at Talkdesk, says something, and shows what was said.

import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The mistake: a closed enumeration. Today's values are these two.
enum Author: String, Codable {
    case person, agent
}

struct Message: Codable {
    let author: Author
    let text: String
}

struct Interaction: Codable { let messages: [Message] }
struct Started: Codable { let id: String }
struct Tokens: Codable {
    let accessToken: String
    enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
}

struct Failure: Error { let text: String }

func setting(_ name: String) -> String { ProcessInfo.processInfo.environment["SPARRING_TALKDESK_" + name] ?? "" }

func call(_ method: String, _ url: URL, _ type: String = "", _ body: String = "", as caller: String) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue(caller, forHTTPHeaderField: "Authorization")
    if !body.isEmpty {
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.utf8)
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw Failure(text: "\(method) \(url.path): status \(status)") }
    return data
}

do {
    guard let tokenURL = URL(string: setting("TOKEN_URL")), let gateway = URL(string: setting("GATEWAY_URL")) else {
        throw Failure(text: "set SPARRING_TALKDESK_TOKEN_URL and SPARRING_TALKDESK_GATEWAY_URL")
    }
    let secret = Data("\(setting("CLIENT_ID")):\(setting("CLIENT_SECRET"))".utf8).base64EncodedString()
    let form = "grant_type=client_credentials&scope=visual-sessions:execute"
    let granted = try await call("POST", tokenURL, "application/x-www-form-urlencoded", form, as: "Basic " + secret)
    let person = "Bearer " + (try JSONDecoder().decode(Tokens.self, from: granted)).accessToken

    let json = "application/json"
    let interactions = gateway.appendingPathComponent("visual-sessions/interactions")
    let wish = #"{"app_id": "example-app-ios", "intention": "order"}"#
    let started = try await call("POST", interactions, json, wish, as: person)
    let mine = interactions.appendingPathComponent(try JSONDecoder().decode(Started.self, from: started).id)
    _ = try await call("POST", mine.appendingPathComponent("messages"), json, #"{"text": "Where is my parcel?"}"#, as: person)

    let said = try await call("GET", mine, as: person)
    for message in try JSONDecoder().decode(Interaction.self, from: said).messages {
        print("\(message.author.rawValue): \(message.text)")
    }
} catch {
    print("cannot show the interaction: \(error)")
    exit(1)
}
