import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// Operations of the tag "Faults" that change nothing: what faults can do, and what they will do.
extension AdminAPI {
    func listEffects(_ call: AdminCall) throws -> Answer {
        let vocabulary = FaultVocabulary(vendors.all.map(\.contract))
        do throws(FaultRefused) {
            return Answer("effects", ["effects": .array(try vocabulary.effects(at: call.query("where")).map(\.json))])
        } catch { throw refused(error) }
    }

    /// The faults that are armed; or others, with the numbers that they would get if they were armed now.
    func planFaults(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        let lanes = call.body["lanes"]?.array?.compactMap(\.string) ?? []
        let calls = call.body["calls"]?.integer(in: 1...1000) ?? 10
        let faults: [(number: Int, text: String)]
        if let texts = call.body["faults"]?.array?.compactMap(\.string) {
            let next = try await store.read { try sandbox.faults.next(in: sandbox.id, $0) }
            faults = texts.enumerated().map { (next + $0.offset, $0.element) }
        } else {
            faults = sandbox.faults.all.map { ($0.number, $0.fault.text) }
        }
        do throws(FaultRefused) {
            let plan = try ChaosPlan(
                seed: sandbox.seed, faults: faults, lanes: lanes.map(\.laneName), calls: calls, contracts: vendors.all.map(\.contract))
            return Answer("fault-plan", plan.json)
        } catch { throw refused(error) }
    }

    func refused(_ error: FaultRefused) -> AdminProblem {
        AdminProblem(name: "fault-refused", detail: error.reason, members: AdminProblem.nearest(error.nearest))
    }
}
