/// `vendor.operationId`, told from others by a number first: a long run asks for little else. So a look at each of a rule's is faster than a hash of one, as long
/// as they are not hundreds.
struct OperationName: Hashable, Sendable {
    let text: String
    private let number: UInt64

    init(_ text: String) {
        self.text = text
        // FNV-1a.
        var number: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { number = (number ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.number = number
    }

    static func == (a: OperationName, b: OperationName) -> Bool { a.number == b.number && a.text == b.text }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
