import SparringVendorKit

/// The files that a channel takes: its member `fileRestrictions` (CXone reference 3.1 and 3.5).
struct FileRestrictions: Decodable, Sendable {
    /// Files of one media type, or with `image/*` of several.
    struct Allowed: Decodable {
        var mimeType: String
        /// Nil: the media type.
        var description: String?
    }

    /// In megabytes.
    var allowedFileSize: Int
    var allowedFileTypes: [Allowed]
    var isAttachmentsEnabled: Bool

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
                allowedFileTypes.map { ["mimeType": .string($0.mimeType), "description": .string($0.description ?? $0.mimeType)] }),
            "isAttachmentsEnabled": .bool(isAttachmentsEnabled),
        ]
    }
}
