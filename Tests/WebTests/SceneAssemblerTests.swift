import Testing

@testable import ListenerStreams

/// Packets of the scene: `protocol/scene-stream.md`.
@Suite struct SceneAssemblerTests {
    /// The header of a packet, and the numbers of its objects.
    private struct Packet: Equatable {
        var number: UInt32
        var start: Int64
        var array: UInt32
        var microphones: Int
        var sides: Int
        var objects: [Int] = []

        init?(_ packet: ScenePacket) {
            guard case .sound(_, let end, _, let bytes) = packet else { return nil }
            func integer<Value: FixedWidthInteger>(_ at: Int, _: Value.Type) -> Value {
                (0..<MemoryLayout<Value>.size).reduce(0) { $0 | Value(truncatingIfNeeded: bytes[at + $1]) << Value(8 * $1) }
            }
            number = integer(0, UInt32.self)
            start = integer(8, Int64.self)
            array = integer(16, UInt32.self)
            (microphones, sides) = (Int(bytes[20]), Int(bytes[21]))
            #expect(integer(4, UInt32.self) == 1920)
            #expect(end == start + 1920)
            var at = SceneAssembler.headBytes
            func track() { at += 2 + Int(integer(at, UInt16.self)) }
            for _ in 0..<(microphones + sides) { track() }
            for _ in 0..<Int(bytes[22]) {
                objects.append(Int(integer(at, UInt16.self)))
                at += 14
                track()
            }
            #expect(at == bytes.count, "channels fill the packet")
        }
    }

    @Test func everyChannelOfAPacketCounts() {
        var counts: [Int] = []
        var assembler = SceneAssembler(.low) { if case .sound(_, _, let channels, _) = $0 { counts.append(channels) } }
        for i in 0..<30 { assembler.add(block(at: Int64(64 * i), sides: 2, objects: [3, 8]), array: 1) }
        #expect(counts == [4 + 2 + 2])
    }

    @Test func aStalledReaderLosesTheOldestSoundAndNoArray() {
        func sound(_ end: Int) -> ScenePacket { .sound(.full, end: Int64(end), channels: 1, bytes: []) }
        var waiting: [ScenePacket] = [.array("one")] + (0..<SceneEncoder.most).map(sound) + [.array("two"), sound(1000)]
        SceneEncoder.shorten(&waiting)
        var (arrays, ends): ([String], [Int64]) = ([], [])
        for packet in waiting {
            switch packet {
            case .array(let text): arrays.append(text)
            case .sound(_, let end, _, _): ends.append(end)
            }
        }
        #expect(arrays == ["one", "two"] && waiting.count == SceneEncoder.most)
        #expect(ends == (3..<Int64(SceneEncoder.most)) + [1000])
    }

    private final class Sent {
        var packets: [Packet] = []
    }

    private func block(at sample: Int64, frames: Int = 64, channels: Int = 4, sides: Int = 0, objects: [Int] = []) -> SceneFrames {
        var block = SceneFrames()
        (block.sample, block.frames, block.channels) = (sample, frames, channels)
        block.microphones = (0..<(frames * channels)).map { 0.1 * Float($0 % 7 - 3) }
        block.input = (0..<sides).map { _ in [Float](repeating: 0.1, count: frames) }
        block.objects = objects.map { .init(number: $0, direction: SIMD3(0, 1, 0), sound: [Float](repeating: 0.1, count: frames)) }
        return block
    }

    private func assembler(_ profile: SceneProfile = .full) -> (SceneAssembler, Sent) {
        let sent = Sent()
        return (SceneAssembler(profile) { if let packet = Packet($0) { sent.packets.append(packet) } }, sent)
    }

    @Test(arguments: [16, 64, 441, 1024], SceneProfile.allCases)
    func packetsFollowEachOtherWhateverTheBlocksAre(frames: Int, profile: SceneProfile) {
        var (assembler, sent) = assembler(profile)
        for i in 0..<(19_200 / frames) { assembler.add(block(at: Int64(1000 + i * frames), frames: frames, sides: 2), array: 3) }
        #expect(sent.packets.count == 19_200 / frames * frames / 1920)
        for (i, packet) in sent.packets.enumerated() {
            #expect((packet.number, packet.start) == (UInt32(i), 1000 + 1920 * Int64(i)))
            #expect((packet.array, packet.microphones, packet.sides) == (3, 4, 2))
        }
    }

    @Test func missingFramesLeaveOutThePacketThatTheyWereIn() {
        var (assembler, sent) = assembler()
        for i in 0..<40 { assembler.add(block(at: Int64(64 * i)), array: 1) }
        for i in 0..<40 { assembler.add(block(at: Int64(50_000 + 64 * i)), array: 1) }
        #expect(sent.packets.map(\.start) == [0, 50_000])
        // The next number shows that there was another packet.
        #expect(sent.packets.map(\.number) == [0, 2])
    }

    @Test func otherMicrophonesBeginWithAPacket() {
        var (assembler, sent) = assembler()
        for i in 0..<40 { assembler.add(block(at: Int64(64 * i)), array: 1) }
        for i in 40..<120 { assembler.add(block(at: Int64(64 * i), channels: 7), array: 2) }
        for i in 120..<160 { assembler.add(block(at: Int64(64 * i), channels: 0), array: 2) }
        #expect(sent.packets.map(\.start) == [0, 1920, 3840, 5760, 7680])
        #expect(sent.packets.map(\.microphones) == [4, 4, 7, 7, 0])
        #expect(sent.packets.map(\.array) == [1, 1, 2, 2, 2])
    }

    @Test func objectsStayUntilTheirTailsAreOver() {
        var (assembler, sent) = assembler()
        for i in 0..<30 { assembler.add(block(at: Int64(64 * i), objects: [3]), array: 1) }
        for i in 30..<180 { assembler.add(block(at: Int64(64 * i), objects: [5]), array: 1) }
        #expect(sent.packets.map(\.objects) == [[3], [3, 5], [3, 5], [5], [5], [5]])
    }

    @Test func noMoreObjectsThanAPacketHas() {
        var (assembler, sent) = assembler(.low)
        for i in 0..<30 { assembler.add(block(at: Int64(64 * i), objects: Array(0..<110)), array: 1) }
        #expect(sent.packets.first?.objects == Array(0..<SceneAssembler.mostObjects))
    }
}
