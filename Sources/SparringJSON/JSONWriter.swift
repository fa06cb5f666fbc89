/// Writes a JSON object member by member straight into bytes, where building a ``JSON`` value first would cost too much.
public struct JSONWriter: ~Copyable {
    private var bytes: ByteBuffer
    private var isFirst = true

    /// - Parameter buffer: what stands in it is lost.
    public init(_ buffer: consuming ByteBuffer) {
        bytes = buffer
        bytes.removeAll()
        bytes.append(UInt8(ascii: "{"))
    }

    public mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        JSON.writeString(value, to: &bytes)
    }

    public mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        bytes.append(number: value)
    }

    public mutating func member(_ name: StaticString, _ value: Int?) { member(name, value.map(Int64.init)) }

    public mutating func member(_ name: StaticString, _ value: JSON?) {
        guard let value else { return }
        key(name)
        value.write(to: &bytes)
    }

    /// A member whose text is UTF-8 already.
    package mutating func member(_ name: StaticString, utf8 text: UnsafeBufferPointer<UInt8>) {
        key(name)
        JSON.writeString(text, to: &bytes)
    }

    /// A member whose text `write` appends, which needs no escaping.
    package mutating func member(_ name: StaticString, write: (inout ByteBuffer) -> Void) {
        key(name)
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A member whose name is only known at run time.
    public mutating func field(_ name: String, _ value: String) {
        comma()
        JSON.writeString(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSON.writeString(value, to: &bytes)
    }

    /// A member that is an object.
    public mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        key(name)
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        write(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Ends the object.
    public consuming func finish() -> ByteBuffer {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func key(_ name: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append("\":")
    }

    private mutating func comma() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }
}
