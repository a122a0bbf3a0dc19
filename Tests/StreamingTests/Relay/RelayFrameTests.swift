import Streaming
import Testing

@Suite struct RelayFrameTests {
    /// The example of `protocol/camera-stream.md`.
    private let example: [UInt8] = [
        1, 1, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0, 0x80, 0x02, 0x68, 0x01, 0x40, 0xE2, 0x01, 0, 0, 0, 0, 0, 0xAA, 0xBB,
    ]

    @Test func aHeaderIsRead() throws {
        let frame = try RelayFrame(example)
        #expect(frame == RelayFrame(.key, codec: .vp8, number: 42, width: 640, height: 360, timestamp: 123_456))
    }

    @Test func everyTruncationIsRefused() {
        for length in 0...24 { #expect(RelayRig.refusal { _ = try RelayFrame(Array(example.prefix(length))) } == .form) }
    }

    @Test(arguments: [
        (0, UInt8(0), RelayRefusal.Kind.form), (0, 4, .form), (0, 255, .form), (1, 0, .codec), (1, 4, .codec), (1, 16, .codec),
        (1, 255, .codec), (2, 1, .form), (3, 1, .form), (0, 3, .codec),
    ])
    func aWrongByteIsRefused(_ place: Int, _ value: UInt8, _ kind: RelayRefusal.Kind) {
        var bytes = example
        bytes[place] = value
        #expect(RelayRig.refusal { _ = try RelayFrame(bytes) } == kind)
    }

    @Test func aPictureWithoutPixelsAndALargeFrameAreRefused() {
        var bytes = example
        (bytes[12], bytes[13]) = (0, 0)
        #expect(RelayRig.refusal { _ = try RelayFrame(bytes) } == .form)
        #expect(RelayRig.refusal { _ = try RelayFrame(example + [UInt8](repeating: 0, count: 524_288)) } == .size)
    }

    @Test func everyCodecOfPicturesIsRead() throws {
        for (number, codec) in [(UInt8(1), RelayCodec.vp8), (2, .h264), (3, .av1)] {
            var bytes = example
            bytes[1] = number
            #expect(try RelayFrame(bytes).codec == codec)
            #expect(RelayCodec(name: codec.name) == codec)
        }
    }

    /// Nothing that the engine copies for its objects is longer than Opus can be.
    @Test func aLongPacketOfSoundIsRefused() throws {
        let header: [UInt8] = [3, 16] + [UInt8](repeating: 0, count: 22)
        #expect(try RelayFrame(header + [UInt8](repeating: 1, count: 3831)).kind == .sound)
        #expect(RelayRig.refusal { _ = try RelayFrame(header + [UInt8](repeating: 1, count: 3832)) } == .size)
    }

    @Test func aReceiptIsReadAndChecked() throws {
        let bytes: [UInt8] = [32, 0, 0, 0, 7, 0, 0, 0, 0x2C, 1, 0, 0, 5, 0, 0, 0]
        #expect(try RelayReceipt(bytes) == RelayReceipt(link: 7, frames: 300, late: 5))
        for length in 0..<16 { #expect(RelayRig.refusal { _ = try RelayReceipt(Array(bytes.prefix(length))) } == .form) }
        #expect(RelayRig.refusal { _ = try RelayReceipt(bytes + [0]) } == .form)
    }
}
