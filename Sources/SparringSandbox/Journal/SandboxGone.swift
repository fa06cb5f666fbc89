/// A call's sandbox was deleted or reset while the call was under way: nothing of it was written.
package struct SandboxGone: Error, CustomStringConvertible {
    var sandbox: String
    package var description: String { "sandbox '\(sandbox)' was deleted or reset in the meantime" }
}
