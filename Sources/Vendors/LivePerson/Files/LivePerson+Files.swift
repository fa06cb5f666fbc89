import SparringVendorKit

/// Handlers of the tag "Files" (LivePerson reference 5.15), and what publishing a file has beyond publishing other events.
extension LivePerson {
    // MARK: URLs, asked for on a socket

    func generateUploadUrl(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        return told(try uploadURL(for: session.consumer, call.body?["body"], call, db), "upload-url-generated", call)
    }

    func generateDownloadUrl(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        return told(try downloadURL(for: session.consumer, call.body?["body"], call, db), "download-url-generated", call)
    }

    func agentGenerateUploadUrl(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        return told(try uploadURL(for: session.agent.pid, call.body?["body"], call, db), "agent-upload-url-generated", call)
    }

    func agentGenerateDownloadUrl(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        return told(try downloadURL(for: session.agent.pid, call.body?["body"], call, db), "agent-download-url-generated", call)
    }

    private func told(_ url: FileURL, _ answer: String, _ call: Call) -> Decision {
        .answer(reply(answer, body: url.json, call, cause: url.cause))
    }

    /// LivePerson reference 5.15: "3 MB", which is taken to be the larger of what that can mean.
    private static let largestFile = 3 << 20

    /// Makes room for the file that a message announces.
    ///
    /// - Parameters:
    ///   - uploader: the consumer or agent whose message it is.
    ///   - wish: the message's body.
    func uploadURL(for uploader: String, _ wish: JSON?, _ call: Call, _ db: Database) throws -> FileURL {
        let word = wish?["fileType"]?.string ?? ""
        guard let type = FileType(rawValue: word) else {
            let known = FileType.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal("file-type-refused", "'\(word)' is not one of \(known)")
        }
        let told = wish?["fileSize"]?.idText ?? ""
        guard let size = told.integer(in: 0...Self.largestFile) else {
            throw Refusal("file-too-large", "\(told.abbreviated(to: 100)) bytes are announced, \(Self.largestFile) are taken")
        }
        let path = relativePath("\(call.draw("file").uuid).\(type.rawValue)", call)
        let file = FileState.File(path: path, account: call.tenant.id, type: type, announced: size, uploader: uploader)
        try file.insert(call.sandbox.id, db)
        return try url(for: .upload, of: path, "\(type.rawValue) of \(size) bytes may be put to \(path)", call, db)
    }

    /// Opens a file of the account's to anyone who knows its path (assumed: who else may fetch it is unknown).
    ///
    /// - Parameters:
    ///   - reader: the consumer or agent whose message it is.
    ///   - wish: the message's body.
    func downloadURL(for reader: String, _ wish: JSON?, _ call: Call, _ db: Database) throws -> FileURL {
        let path = wish?["relativePath"]?.string ?? ""
        guard let file = try FileState.file(path, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("file-unknown", "no upload to '\(path)' was asked for in account \(call.tenant.id)")
        }
        let whose = file.uploader == reader ? "their own" : "\(file.uploader)'s"
        let what = file.size.map { "\($0) bytes, \(whose)" } ?? "nothing was put there"
        return try url(for: .download, of: path, "\(path): \(what)", call, db)
    }

    private func url(for use: FileURL.Use, of path: String, _ cause: String, _ call: Call, _ db: Database) throws -> FileURL {
        let lifetime = call.settings(of: self).files.urlLifetime
        // Rounded up: it serves no shorter than is said.
        let expires = String(((call.now + lifetime).milliseconds + 999) / 1000)
        let signature = FileURL.signature(for: use, of: path, until: expires, call)
        try call.sandbox.issued(signature, to: call.lane, db)
        return FileURL(relativePath: path, signature: signature, expires: expires, cause: "\(cause), for \(lifetime.words)")
    }

    private func relativePath(_ fileName: String, _ call: Call) -> String {
        path(.uploadFile, ["accountId": call.tenant.id, "fileName": fileName])
    }

    // MARK: Bytes

    func uploadFile(_ db: Database, _ call: Call) throws -> Decision {
        let path = relativePath(call.path("fileName"), call)
        try FileURL.check(call, for: .upload, of: path)
        guard let file = try FileState.file(path, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("url-invalid", "nobody has asked for an upload to this path since the sandbox was made or reset")
        }
        let bytes = call.request.body
        // What is far too long has been cut off, and only its head tells how long it was.
        let size = max(bytes.count, call.header(.contentLength)?.integer(in: 0...Int.max) ?? 0)
        guard size <= Self.largestFile else { throw Refusal("file-too-large", "\(size) bytes or more came, \(Self.largestFile) are taken") }
        try file.put(bytes, call.sandbox, at: call.now, db)
        var words = ["\(bytes.count) bytes put to \(path)"]
        if let earlier = file.size { words.append("in place of \(earlier)") }
        if bytes.count != file.announced { words.append("\(file.announced) were announced") }
        if !file.type.fits(bytes) { words.append("they do not begin as a \(file.type.rawValue) does") }
        return .answer("file-uploaded", cause: words.joined(separator: "; "))
    }

    func downloadFile(_ db: Database, _ call: Call) throws -> Decision {
        let path = relativePath(call.path("fileName"), call)
        try FileURL.check(call, for: .download, of: path)
        guard let file = try FileState.file(path, of: call.tenant.id, call.sandbox.id, db), let content = file.content else {
            throw Refusal("file-unknown", "nothing was put to \(path)")
        }
        let stored = try StoredFiles.file(content, db)
        // Swift's tags stand without quotes (OpenStack Object Storage API, "Get object content and metadata").
        return .answer(file.type.answer, stored, isTagBare: true, cause: "\(stored.bytes.count) bytes fetched from \(path)")
    }

    // MARK: Publishing

    func publishFile(_ db: Database, _ call: Call) throws -> Decision {
        _ = try consumerSession(of: call)
        return try publishFile(db, call, by: publishEvent)
    }

    func agentPublishFile(_ db: Database, _ call: Call) throws -> Decision {
        _ = try agentSession(of: call)
        return try publishFile(db, call, by: agentPublishEvent)
    }

    private func publishFile(_ db: Database, _ call: Call, by publish: (Database, Call) throws -> Decision) throws -> Decision {
        let remark = try lookAtFile(in: call.body?["body"]?["event"], call, db)
        let outcome = try publish(db, call)
        guard case .answer(var answer) = outcome, let remark else { return outcome }
        answer.cause = [answer.cause, remark].compactMap(\.self).joined(separator: "; ")
        return .answer(answer)
    }

    /// LivePerson reference 5.15: "30 KB".
    private static let previewLimit = 30 << 10

    /// Checks a `hosted/file` event before it is published.
    ///
    /// - Returns: words for the journal where its file is not there: it is published all the same (assumed). A refusal where its preview
    ///   is too large (assumed).
    func lookAtFile(in event: JSON?, _ call: Call, _ db: Database) throws -> String? {
        let message = event?["message"]
        let preview = message?["preview"]?.string.map { Base64.size(ofDataURL: $0) } ?? 0
        guard preview < Self.previewLimit else {
            throw Refusal("preview-too-large", "the preview has \(preview) bytes, less than \(Self.previewLimit) are taken")
        }
        let path = message?["relativePath"]?.string ?? ""
        let file = try FileState.file(path, of: call.tenant.id, call.sandbox.id, db)
        if file?.size != nil { return nil }
        return file == nil
            ? "no upload to '\(path)' was ever asked for: nobody will be able to fetch it"
            : "nothing was put to \(path): nobody can fetch it yet"
    }
}
