import SparringEngine
public import SparringJSON
import SparringTokens

/// The acts of a vendor's agents, by their names in the admin API, on the command line and in scripts: `operationId`s of the vendor's admin
/// contract.
public protocol ActKind: RawRepresentable<String>, CaseIterable, Sendable {
    /// The script `echo`: joins, reads everything, and answers each text with the same text.
    static var echo: JSON { get }

    /// The member with the numbers of the messages that an act is about; nil: it is about none.
    var messages: String? { get }

    /// Refuses an act for what its schema cannot say of it.
    func check(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError)
}

extension ActKind {
    public var messages: String? { nil }

    public func check(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError) {}

    /// A file is sent, by its address or with what is in it.
    public static func checkFile(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        guard (act["url"] == nil) != (act["content"] == nil) else {
            throw ConfigurationError(pointer.appending("url"), "a file has either its 'url' or its 'content' in Base64")
        }
        if let content = act["content"]?.string, Base64.decode(content) == nil {
            throw ConfigurationError(pointer.appending("content"), "it is not Base64 (RFC 4648 §4)")
        }
    }
}
