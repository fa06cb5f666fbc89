import Foundation
import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal

/// Credentials of the brand's identity provider that a recorded client brought from elsewhere: what no recorded answer has handed out is minted, with the
/// same subject and claims.
struct ReplayCredentials {
    /// A credential that the recorded sandbox was asked to mint, and this one has minted as well.
    private struct Minted {
        let form: String
        let subject: String
        let isSound: Bool
        let credential: String
        /// The claim `jti`, which is drawn by the sandbox's seed: it is the same in the replay.
        let id: String?
    }

    private var minted: [Minted] = []
    /// All that the recorded answers say.
    private let answers: String
    private let verdicts: CredentialVerdicts

    init(_ calls: [Archive.Call], _ verdicts: CredentialVerdicts = CredentialVerdicts()) {
        self.verdicts = verdicts
        answers = calls.flatMap { call in
            [(call.answerHeaders[.location] ?? "").removingPercentEncoding ?? "", String(decoding: call.answerBody.bytes, as: UTF8.self)]
                + (call.messages ?? []).filter { !$0.isSent }.map { String(decoding: $0.bytes, as: UTF8.self) }
        }.joined(separator: "\n")
    }

    static let operation = "\(AdminAPI.name).\(AdminOperation.mintCredential.rawValue)"

    /// Keeps what was minted because the recorded sandbox was asked for it.
    mutating func keep(_ form: JSON, _ answer: JSON) {
        guard let kind = form["form"]?.string, let credential = answer["credential"]?.string else { return }
        minted.append(
            Minted(
                form: kind, subject: form["subject"]?.string ?? "",
                // The defect of a code is that of the token which it is redeemed for.
                isSound: kind == "code" || form["defect"] == nil, credential: credential, id: WantedCredential.id(of: credential)))
    }

    /// The one that was kept for it: the same JWT, else the next sound one that fits, unless the recorded one was refused.
    mutating func take(for wanted: WantedCredential) -> String? {
        let (kind, subject, id) = (wanted.form["form"]?.string, wanted.form["subject"]?.string, WantedCredential.id(of: wanted.recorded))
        let same = id.flatMap { id in minted.firstIndex { $0.form == kind && $0.id == id } }
        let place =
            same
            ?? (isRefused(wanted)
                ? nil : minted.firstIndex { $0.isSound && $0.form == kind && ($0.form == "code" || $0.subject == subject) })
        return place.map { minted.remove(at: $0).credential }
    }

    /// The recorded vendor did not take it.
    func isRefused(_ wanted: WantedCredential) -> Bool { verdicts.refuse(wanted.recorded) }

    // MARK: What a request brings

    /// The credentials of a request that are not known and that no recorded answer hands out.
    func wanted(_ headers: HTTPFields, _ target: String, _ body: [UInt8], _ correspondence: Correspondence) -> [WantedCredential] {
        WantedCredential.all(headers, target, body).filter { !correspondence.knows($0.recorded) && !answers.contains($0.recorded) }
    }
}
