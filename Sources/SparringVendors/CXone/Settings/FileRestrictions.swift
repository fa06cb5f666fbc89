import SparringEngine
import SparringJSON

/// Which files a channel takes: its member `fileRestrictions` (CXone reference 3.1 and 3.5).
struct FileRestrictions: Sendable {
    /// In megabytes.
    var allowedFileSize: Int
    /// Media types, `image/*` included.
    var allowedFileTypes: [(mimeType: String, description: String)]
    var isAttachmentsEnabled: Bool

    static let member = "fileRestrictions"

    init(_ channel: Members) throws(ConfigurationError) {
        let json = channel.object[Self.member] ?? [:]
        let members = try Members(
            json.isNull ? [:] : json, at: channel.pointer.appending(Self.member),
            known: ["allowedFileSize", "allowedFileTypes", "isAttachmentsEnabled"])
        allowedFileSize = try members.integer("allowedFileSize", in: 0...1000) ?? 40
        isAttachmentsEnabled = try members.bool("isAttachmentsEnabled") ?? true
        allowedFileTypes = []
        guard let types = try members.array("allowedFileTypes") else {
            allowedFileTypes = [
                ("image/*", "Images"), ("video/*", "Videos"), ("audio/*", "Audio"), ("application/pdf", "PDF"), ("text/plain", "Text"),
            ]
            return
        }
        for (index, json) in types.enumerated() {
            let type = try Members(
                json, at: members.pointer.appending("allowedFileTypes").appending(index), known: ["mimeType", "description"])
            guard let mimeType = try type.string("mimeType"), mimeType.contains("/") else {
                throw type.error("mimeType", "expected a media type such as image/*")
            }
            allowedFileTypes.append((mimeType, try type.string("description") ?? mimeType))
        }
    }

    func takes(_ mimeType: String) -> Bool {
        let type = mimeType.prefix { $0 != ";" }.lowercased()
        return allowedFileTypes.contains { allowed in
            let pattern = allowed.mimeType.lowercased()
            return pattern == "*/*" || pattern == type || (pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast()))
        }
    }

    var json: JSON {
        [
            "allowedFileSize": .string(String(allowedFileSize)),
            "allowedFileTypes": .array(
                allowedFileTypes.map { ["mimeType": .string($0.mimeType), "description": .string($0.description)] }),
            "isAttachmentsEnabled": .bool(isAttachmentsEnabled),
        ]
    }
}
