/// Bytes that are written one after another, such as a text of JSON. Its memory is its own, so that nothing has to be asked before each byte, as an array must.
public struct ByteBuffer: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    public private(set) var capacity: Int
    public private(set) var count = 0
    /// The memory is its own, and not the caller's.
    private var isOwn = true

    /// - Parameter capacity: bytes that fit in before more memory is taken.
    public init(capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        memory = .allocate(capacity: self.capacity)
    }

    private init(in room: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = room.baseAddress else { preconditionFailure("there is no room") }
        (memory, capacity, isOwn) = (start, room.count, false)
    }

    deinit { if isOwn { memory.deallocate() } }

    /// Gives `body` a buffer in the stack's memory, which suffices for what is short.
    public static func onStack<Result>(_ body: (inout ByteBuffer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { room in
            var buffer = ByteBuffer(in: room)
            return body(&buffer)
        }
    }

    /// A copy of the bytes.
    public var array: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }
    /// The text whose UTF-8 the bytes are.
    public var text: String { String(decoding: UnsafeBufferPointer(start: memory, count: count), as: UTF8.self) }

    public func withBytes<Result, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Forgets the bytes and keeps the memory.
    public mutating func removeAll() { count = 0 }

    public mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (memory + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    public mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends UTF-8.
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends a whole number in decimal digits.
    public mutating func append(number: Int64) {
        var (rest, digits) = (number.magnitude, 1)
        while rest > 9 { (rest, digits) = (rest / 10, digits + 1) }
        extend(by: digits + (number < 0 ? 1 : 0)) { room in
            var (rest, place) = (number.magnitude, room.count)
            repeat {
                place -= 1
                room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 { room[0] = UInt8(ascii: "-") }
        }
    }

    /// Appends so many bytes, which `write` sets, each of them.
    public mutating func extend(by count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        reserve(count)
        write(UnsafeMutableBufferPointer(start: memory + self.count, count: count))
        self.count += count
    }

    /// Takes so much memory that so many further bytes fit in.
    public mutating func reserve(_ further: Int) {
        if capacity - count < further { grow(by: further) }
    }

    @inline(never) private mutating func grow(by further: Int) {
        let larger = max(capacity * 2, count + further)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: memory, count: count)
        if isOwn { memory.deallocate() }
        (memory, capacity, isOwn) = (moved, larger, true)
    }
}
