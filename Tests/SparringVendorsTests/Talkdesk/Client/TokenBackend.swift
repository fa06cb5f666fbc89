import Foundation
import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// A brand's backend at Talkdesk ID, written with knowledge of the rules.
actor TokenBackend {
    enum Proof: String, CaseIterable, Sendable {
        case assertion, basic, code
    }

    let stage: ClientStage
    let proof: Proof
    let scene: TalkdeskScene
    private var refreshToken: String?
    /// Talkdesk ID is let be until then, by the sandbox's clock.
    private var waitsUntil = 0.0

    init(_ stage: ClientStage, _ proof: Proof, _ scene: TalkdeskScene) { (self.stage, self.proof, self.scene) = (stage, proof, scene) }

    /// Answers an app that asks for a token; returns the status.
    @discardableResult
    func serve() async throws -> Int {
        let status = try await token() == nil ? 500 : 201
        try await stage.mark("app-answered", ["status": .integer(Int64(status))], lane: scene.client)
        return status
    }

    private func token() async throws -> String? {
        guard try stage.now() >= waitsUntil else { return nil }
        let scene = scene
        let answer =
            switch proof {
            case .assertion:
                try await send { try await scene.token(TalkdeskScene.form(try await scene.assertion(), of: scene.client), basic: nil) }
            case .basic: try await send { try await scene.token(["grant_type": "client_credentials"], basic: Self.basic(scene)) }
            case .code: try await byCode()
            }
        if answer?.status == 429, let seconds = answer?.headers[.retryAfter].flatMap(Double.init) { waitsUntil = try stage.now() + seconds }
        refreshToken = answer?.json?["refresh_token"]?.string
        return answer?.json?["access_token"]?.string
    }

    /// Gets a token by the newest refresh token where there is one, else by a new code. A code is brought once, whatever comes of it.
    private func byCode() async throws -> TestAnswer? {
        let (scene, refresh) = (scene, refreshToken)
        refreshToken = nil
        if let refresh {
            return try await send {
                try await scene.token(["grant_type": "refresh_token", "refresh_token": refresh], basic: Self.basic(scene))
            }
        }
        let code = try await scene.code()
        let form = ["grant_type": "authorization_code", "code": code, "redirect_uri": TalkdeskScene.callback]
        return try await send { try await scene.token(form, basic: Self.basic(scene)) }
    }

    private func send(_ call: @escaping @Sendable () async throws -> TestAnswer) async throws -> TestAnswer? {
        try await stage.drive(timeOut: 60, call)
    }

    private static func basic(_ scene: TalkdeskScene) -> String { TalkdeskScene.basic(scene.client, TalkdeskScene.secret) }
}
