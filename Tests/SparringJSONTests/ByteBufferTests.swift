import SparringJSON
import Testing

struct ByteBufferTests {
    @Test(arguments: [0, 7, -1, 9, 10, -10, 1_000_000_007, .max, .min] as [Int64]) func `a number is written in decimal digits`(
        number: Int64
    ) {
        var buffer = ByteBuffer(capacity: 1)
        buffer.append(number: number)
        #expect(buffer.text == String(number))
    }

    @Test(arguments: [0, 1, 511, 512, 513, 5000]) func `what is too long for the stack moves into memory of its own`(count: Int) {
        let bytes = [UInt8](repeating: 0x61, count: count)
        let written = ByteBuffer.onStack { buffer in
            bytes.withUnsafeBufferPointer { buffer.append($0) }
            buffer.append(number: -5)
            return buffer.array
        }
        #expect(written == bytes + Array("-5".utf8))
    }

    @Test func `it grows with what is written, whatever the pieces are`() {
        var buffer = ByteBuffer(capacity: 1)
        var expected: [UInt8] = []
        for step in 0..<200 {
            let piece = [UInt8](repeating: UInt8(step), count: step * step % 97)
            piece.withUnsafeBufferPointer { buffer.append($0) }
            buffer.append(UInt8(ascii: "|"))
            buffer.append("né")
            buffer.extend(by: 3) { room in for place in room.indices { room[place] = UInt8(place) } }
            expected += piece + [UInt8(ascii: "|")] + Array("né".utf8) + [0, 1, 2]
        }
        #expect(buffer.array == expected && buffer.count == expected.count && buffer.capacity >= expected.count)
        buffer.removeAll()
        #expect(buffer.array.isEmpty && buffer.capacity >= expected.count)
        buffer.append(text: "next")
        #expect(buffer.withBytes { Array($0) } == Array("next".utf8))
    }
}
