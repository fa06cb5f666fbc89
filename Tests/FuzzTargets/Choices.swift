/// An input read as a list of decisions. Once it is at its end, each further one is the first that there is: so a short input is a plain one.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// One of `0..<count`, evenly for a random input. One byte is read where it suffices, so that a changed byte changes one decision.
    mutating func below(_ count: Int) -> Int {
        if count <= 1 { return 0 }
        if count <= 256 { return Int(byte()) % count }
        return (Int(byte()) << 8 | Int(byte())) % count
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// True for so many of 256 bytes, never for a zero.
    mutating func chance(_ share: Int) -> Bool { Int(byte()) > 255 - share }

    mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return taken
    }

    /// Up to 63 bytes as they are.
    mutating func text() -> String { String(decoding: bytes(below(64)), as: UTF8.self) }

    /// All that is left.
    mutating func remainder() -> [UInt8] { bytes(rest.count) }
}

/// Decisions for inputs that nobody wrote: the same for the same seed (SplitMix64; Steele, Lea and Flood 2014).
public struct FuzzGenerator: RandomNumberGenerator {
    private var state: UInt64
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Random bytes, or one of `seeds` with some of its bytes changed, cut out or doubled.
    public mutating func input(from seeds: [[UInt8]], atMost limit: Int = 512) -> [UInt8] {
        guard let seed = seeds.randomElement(using: &self), Bool.random(using: &self) else {
            return (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
        }
        var bytes = seed
        for _ in 0..<Int.random(in: 1...6, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            let end = min(bytes.count, place + Int.random(in: 0...16, using: &self))
            switch Int.random(in: 0..<5, using: &self) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
            }
        }
        return bytes
    }
}
