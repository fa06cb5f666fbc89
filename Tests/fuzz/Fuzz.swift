import Foundation
import FuzzTargets

/// The target that libFuzzer (llvm.org/docs/LibFuzzer.html) makes inputs for. `make fuzz` builds and runs it.
private let target = FuzzTarget(rawValue: ProcessInfo.processInfo.environment["SPARRING_FUZZ_TARGET"] ?? "")
/// A file to which the operations that were reached are written now and then.
private let report = ProcessInfo.processInfo.environment["SPARRING_FUZZ_REACHED"]
/// One of so many inputs is read at length, for the time that takes.
private let timedShare: UInt32 = 32
/// libFuzzer calls from one thread.
nonisolated(unsafe) private var count = 0

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let target else {
        FileHandle.standardError.write(Data("SPARRING_FUZZ_TARGET is not one of \(FuzzTarget.allCases.map(\.rawValue))\n".utf8))
        exit(2)
    }
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    do {
        try target.run(bytes)
        // The same inputs each time, so that what failed fails again.
        if (bytes.reduce(0) { ($0 &* 31) &+ UInt32($1) }).isMultiple(of: timedShare) { try target.checkTime(bytes) }
    } catch {
        FileHandle.standardError.write(Data("FAILED \(error)\n".utf8))
        abort()
    }
    count += 1
    if count.isMultiple(of: 100) { tell(target) }
    return 0
}

private func tell(_ target: FuzzTarget) {
    guard let report, let reached = target.reached else { return }
    let lines = ["answers \(reached.answers)"] + reached.names.sorted().map { "reached \($0)" } + reached.missing.map { "missing \($0)" }
    try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: report), options: .atomic)
}
