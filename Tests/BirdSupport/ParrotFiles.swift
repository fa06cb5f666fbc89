import Foundation
import Support

/// The files beside this one that a vendor of Sparring's own has in `contracts` and `fixtures`.
package enum ParrotFiles {
    package static let scenarios = Repository.folder("Tests/Parrot/scenarios")

    /// - Parameter kind: such as `openapi`.
    static func contract(_ kind: String) -> String {
        let file = Repository.folder("Tests/Parrot/contracts/parrot.\(kind).yaml")
        do { return try String(contentsOfFile: file, encoding: .utf8) } catch { preconditionFailure("\(file): \(error)") }
    }
}
