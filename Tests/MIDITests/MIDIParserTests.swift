import DSP
import MIDI
import TestSupport
import Testing

/// Channel messages in streams of bytes, sound and damaged.
@Suite struct MIDIParserTests {
    private func messages(_ bytes: [UInt8]) -> [MIDIMessage] {
        var parser = MIDIParser()
        return bytes.compactMap { parser.take($0) }
    }

    private func message(_ status: UInt8, _ first: UInt8, _ second: UInt8 = 0) throws -> MIDIMessage {
        try #require(MIDIMessage(status, first, second))
    }

    @Test func everyKindOfChannelMessage() throws {
        let bytes: [UInt8] = [0x80, 60, 1, 0x91, 60, 2, 0xA2, 60, 3, 0xB3, 7, 4, 0xC4, 5, 0xD5, 6, 0xE6, 7, 8]
        #expect(
            messages(bytes) == [
                try message(0x80, 60, 1), try message(0x91, 60, 2), try message(0xA2, 60, 3), try message(0xB3, 7, 4),
                try message(0xC4, 5), try message(0xD5, 6), try message(0xE6, 7, 8),
            ])
        #expect(messages(bytes).map(\.channel) == [1, 2, 3, 4, 5, 6, 7])
        #expect(messages(bytes).map(\.program) == [nil, nil, nil, nil, 5, nil, nil])
    }

    @Test func runningStatus() throws {
        #expect(messages([0xB0, 7, 1, 7, 2, 10, 3]) == [try message(0xB0, 7, 1), try message(0xB0, 7, 2), try message(0xB0, 10, 3)])
        #expect(messages([0xC0, 1, 2, 3]) == [try message(0xC0, 1), try message(0xC0, 2), try message(0xC0, 3)])
    }

    @Test func clockMessagesAreAllowedAnywhere() throws {
        #expect(messages([0xF8, 0xB0, 0xFE, 7, 0xF8, 100, 0xFA]) == [try message(0xB0, 7, 100)])
    }

    @Test func systemExclusiveIsSkipped() throws {
        // Also without its end, and with what looks like a controller inside. It ends running status.
        #expect(messages([0xB0, 7, 1, 0xF0, 0x41, 7, 2, 0xF7, 7, 3, 0xB0, 7, 4]) == [try message(0xB0, 7, 1), try message(0xB0, 7, 4)])
        #expect(messages([0xF0, 1, 2, 3, 0xB0, 7, 4]) == [try message(0xB0, 7, 4)])
        #expect(messages([0xF2, 1, 2, 3, 0xF3, 4, 0x90, 60, 5]) == [try message(0x90, 60, 5)])
    }

    @Test func damagedInputLosesNothingElse() throws {
        #expect(messages([1, 2, 3]).isEmpty)
        #expect(messages([0xB0, 7, 0x90, 60, 100]) == [try message(0x90, 60, 100)])
        #expect(messages([0xE0, 0xE0, 1, 0xB0, 7, 5]) == [try message(0xB0, 7, 5)])
    }

    /// Whatever comes, messages are whole, and there are no more than the data bytes make.
    @Test func anyBytes() {
        var random = SeededRandom()
        for _ in 0..<200 {
            let bytes = (0..<500).map { _ in UInt8(truncatingIfNeeded: random.next() >> 56) }
            let found = messages(bytes)
            #expect(found.count <= bytes.count { $0 < 0x80 })
            #expect(found.allSatisfy { $0.first < 0x80 && $0.second < 0x80 && (0x80..<0xF0).contains($0.status) })
        }
    }

    @Test func messagesAreChecked() {
        #expect(MIDIMessage(0x7F, 1, 1) == nil)
        #expect(MIDIMessage(0xF0, 1, 1) == nil)
        #expect(MIDIMessage(0xB0, 128, 1) == nil)
        #expect(MIDIMessage(0xB0, 1, 128) == nil)
        #expect(MIDIMessage(0xC0, 1, 200)?.second == 0)
    }
}
