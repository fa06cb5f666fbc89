public import Foundation

/// The checkout that the tests run from.
public enum Repository {
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    public static func folder(_ path: String) -> String { root.appendingPathComponent(path).path }

    /// The `sparring` that was built with these tests: as it was installed (`Tests/run`), or else as it was built.
    public static var binary: String { ProcessInfo.processInfo.environment["SPARRING_BINARY"] ?? built }

    public static var built: String {
        let folder =
            Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent("sparring").path
    }
}
