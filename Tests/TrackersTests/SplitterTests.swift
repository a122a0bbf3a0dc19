import Pose
import Testing

@testable import Trackers

/// Packets from streams of bytes, for any division of the stream.
@Suite struct SplitterTests {
    func text(_ packets: [[UInt8]]) -> [String] { packets.map { String(decoding: $0, as: UTF8.self) } }

    /// Splits the same stream in pieces of every size.
    func inPieces(_ stream: [UInt8], _ splitter: PacketSplitter) -> [[[UInt8]]] {
        (1...stream.count).map { size in
            var splitter = splitter
            var packets: [[UInt8]] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                packets += splitter.take(stream[start..<min(start + size, stream.count)])
            }
            return packets
        }
    }

    @Test func linesWithAnyLineEnding() {
        let stream = Array("7,8\r\n1,2,3\r\n4,5,6\n\n7,8,9\r0".utf8)
        for packets in inPieces(stream, .lines(LineSplitter())) { #expect(text(packets) == ["1,2,3", "4,5,6", "7,8,9"]) }
    }

    @Test func unterminatedLinesAreLimited() {
        var splitter = LineSplitter()
        #expect(splitter.take([10]).isEmpty)
        let noise = [UInt8](repeating: 65, count: 100_000)
        #expect(splitter.take(noise[...]).isEmpty)
        // A line that is too long is dropped as a whole.
        #expect(text(splitter.take(Array("tail\n1,2,3\n".utf8)[...])) == ["1,2,3"])
    }

    func eighteen() throws -> PacketSplitter {
        let profile = try #require(TrackerProfile.named("bno055"))
        return .eighteen(EighteenSplitter { row in row.withUnsafeBytes { profile.isPacket($0) } })
    }

    @Test func eighteenCharacterRowsResynchronise() throws {
        let rows = ["-030.0+020.0+010.0", "+031.5-001.0+000.2", " 179.9-089.9-000.1"]
        let stream = Array(rows.joined().utf8)
        for packets in inPieces(stream, try eighteen()) { #expect(text(packets) == rows) }
        // With line ends the stream can begin anywhere, also between two numbers.
        for cut in 0..<18 {
            let ended = Array(rows.joined(separator: "\r\n").utf8.dropFirst(cut))
            for packets in inPieces(ended, try eighteen()) { #expect(text(packets) == (cut == 0 ? rows : Array(rows[1...]))) }
        }
        // A lost or added byte costs one row and not the rest.
        let harmed = Array((rows[0].dropLast(2) + rows[1] + "?" + rows[2] + rows[0]).utf8)
        for packets in inPieces(harmed, try eighteen()) { #expect(text(packets) == Array(rows[1...]) + [rows[0]]) }
    }

    @Test func systemExclusiveMessagesAreSplit() {
        let message: [UInt8] = [0x00, 0x21, 0x42, 0x40, 0x01, 1, 2, 3, 4, 5, 6, 7, 8]
        var decoder = MIDIDecoder(numbers: 4)
        // A clock message in the middle, a note before, another manufacturer's message after.
        let stream: [UInt8] = [0x90, 60, 100, 0xF0] + message.prefix(5) + [0xF8] + message.dropFirst(5) + [0xF7, 0xF0, 0x7E, 1, 0xF7]
        #expect(decoder.take(stream) == [message, [0x7E, 1]])
        // A message that never ends, and one that another status byte interrupts.
        #expect(decoder.take([0xF0] + [UInt8](repeating: 1, count: 10_000) + [0xF7]).isEmpty)
        #expect(decoder.take([0xF0, 1, 2, 0x90, 60, 100, 0xF7]).isEmpty)
        #expect(decoder.take([0xF0, 9, 0xF7]) == [[9]])
    }

    @Test func controllerRowsAreJoined() {
        var decoder = MIDIDecoder(numbers: 4)
        let upper: [UInt8] = [10, 11, 12, 13]
        let lower: [UInt8] = [20, 21, 22, 23]
        let row: [UInt8] = [10, 20, 11, 21, 12, 22, 13, 23]
        func control(_ controller: Int, _ value: UInt8) -> [UInt8] { [0xB0, UInt8(controller), value] }
        let forward = (0..<4).flatMap { control(48 + $0, lower[$0]) } + (0..<4).flatMap { control(16 + $0, upper[$0]) }
        #expect(decoder.take(forward) == [row])
        // In any order, with running status, and with other controllers in between.
        var running: [UInt8] = [0xB3]
        for i in [3, 1, 0, 2] { running += [UInt8(16 + i), upper[i], 7, 99, UInt8(48 + i), lower[i]] }
        #expect(decoder.take(running) == [row])
        // A row with a lost number does not mix with the next one.
        #expect(decoder.take(forward.dropFirst(3) + forward) == [row])
    }
}
