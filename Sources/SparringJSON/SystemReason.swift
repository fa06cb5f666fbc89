import Foundation

/// The system's reason for one of Foundation's errors.
package struct SystemReason {
    /// The system's number for it (errno(3)); nil: no call of the system failed.
    package let code: Int32?
    /// A few words in lower case, such as `permission denied`.
    package let text: String

    package init(_ error: any Error) {
        var error = error
        // In an `Any`, the system's error is no NSError yet.
        while let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error { error = underlying }
        let reason = error as NSError
        guard reason.domain == NSPOSIXErrorDomain else {
            code = nil
            text = reason.localizedFailureReason ?? "perhaps it is a folder"
            return
        }
        code = Int32(reason.code)
        text = String(cString: strerror(Int32(reason.code))).lowercased()
    }
}
