import SparringJSON
import SparringJournal

extension Event {
    /// Seconds that the answer asks to wait (RFC 9110 §10.2.3); a date is not understood, nor what is more than ten years.
    var retryAfter: Double? {
        let seconds = header("Retry-After", of: "answer").flatMap { Double($0) }
        return seconds.flatMap { (0...Double(Duration.longest.milliseconds) / 1000).contains($0) ? $0 : nil }
    }
}
