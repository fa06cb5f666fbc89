import ArgumentParser

/// A port that an option names; 0: a free one.
struct ChosenPort {
    let option: String
    let number: Int

    init(_ option: String, _ number: Int) { (self.option, self.number) = (option, number) }

    /// - Throws: where one is no port, or two are the same.
    static func validate(_ ports: [ChosenPort]) throws {
        for port in ports where !(0...65_535).contains(port.number) { throw ValidationError("\(port.option) must be from 0 to 65535.") }
        for (index, port) in ports.enumerated() where port.number != 0 {
            guard let other = ports.prefix(index).first(where: { $0.number == port.number }) else { continue }
            throw ValidationError("\(other.option) and \(port.option) are both \(port.number); 0 picks a free one.")
        }
    }
}
