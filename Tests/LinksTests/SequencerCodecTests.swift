import CALSA
import Testing

@testable import Links

/// Events as the ALSA sequencer delivers them, made by hand, since test machines have no sequencer.
@Suite struct SequencerCodecTests {
    private func decoded(_ events: [snd_seq_event_t]) throws -> [[UInt8]] {
        let codec = try #require(SequencerCodec())
        var messages: [[UInt8]] = []
        for var event in events { codec.bytes(&event) { messages.append(Array($0)) } }
        return messages
    }

    private func event(_ type: snd_seq_event_type, _ fill: (inout snd_seq_event_t) -> Void) -> snd_seq_event_t {
        var event = snd_seq_event_t()
        event.type = UInt8(type.rawValue)
        fill(&event)
        return event
    }

    /// Every message is whole, also two notes of one channel, which could share their status byte.
    @Test func eventsBecomeMessages() throws {
        let note = event(SND_SEQ_EVENT_NOTEON) { $0.data.note = .init(channel: 2, note: 60, velocity: 100, off_velocity: 0, duration: 0) }
        let controller = event(SND_SEQ_EVENT_CONTROLLER) { $0.data.control = .init(channel: 0, unused: (0, 0, 0), param: 7, value: 127) }
        let program = event(SND_SEQ_EVENT_PGMCHANGE) { $0.data.control = .init(channel: 15, unused: (0, 0, 0), param: 0, value: 5) }
        // From -8192 to 8191; 0 is the middle.
        let bend = event(SND_SEQ_EVENT_PITCHBEND) { $0.data.control = .init(channel: 1, unused: (0, 0, 0), param: 0, value: -8192) }
        #expect(
            try decoded([note, note, controller, program, bend]) == [
                [0x92, 60, 100], [0x92, 60, 100], [0xB0, 7, 127], [0xCF, 5], [0xE1, 0, 0],
            ])
    }

    /// Events that stand for no message, such as a subscription, are passed over.
    @Test func otherEventsAreIgnored() throws {
        let subscribed = event(SND_SEQ_EVENT_PORT_SUBSCRIBED) { _ in }
        let clock = event(SND_SEQ_EVENT_CLOCK) { _ in }
        #expect(try decoded([subscribed, clock]) == [[0xF8]])
    }

    @Test func messagesBecomeEventsAndAreTheSameAgain() throws {
        let codec = try #require(SequencerCodec())
        let sysex: [UInt8] = [0xF0, 0x00, 0x21, 0x42, 0x01, 0xF7]
        for message in [[0x80, 64, 10], [0xB3, 1, 2], [0xC0, 9], [0xE0, 0x11, 0x22], sysex] as [[UInt8]] {
            var event = try #require(codec.event(message))
            var found: [UInt8] = []
            codec.bytes(&event) { found += $0 }
            #expect(found == message)
        }
        // Half a message, two messages, and none.
        #expect(codec.event([0x90, 60]) == nil && codec.event([0x90, 60, 1, 0x80, 60, 0]) == nil && codec.event([]) == nil)
    }
}
