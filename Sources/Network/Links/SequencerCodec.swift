internal import CALSA

/// Converts MIDI messages to events of the ALSA sequencer and back; needs no sequencer. Not thread-safe.
final class SequencerCodec {
    /// Bytes of the longest piece of a message.
    private static let longest = 256

    private let codec: OpaquePointer
    private var piece = [UInt8](repeating: 0, count: SequencerCodec.longest)

    /// Returns nil when there is no memory for it.
    init?() {
        var made: OpaquePointer?
        guard snd_midi_event_new(Self.longest, &made) == 0, let made else { return nil }
        // Every event becomes a whole message, without running status.
        snd_midi_event_no_status(made, 1)
        codec = made
    }

    deinit { snd_midi_event_free(codec) }

    /// Returns the event of one whole message; nil for bytes that are none.
    func event(_ bytes: [UInt8]) -> snd_seq_event_t? {
        guard !bytes.isEmpty else { return nil }
        var event = snd_seq_event_t()
        snd_midi_event_reset_encode(codec)
        guard snd_midi_event_encode(codec, bytes, bytes.count, &event) == bytes.count,
            event.type != UInt8(SND_SEQ_EVENT_NONE.rawValue)
        else { return nil }
        return event
    }

    /// Calls `body` with the bytes of an event, unless it stands for no message.
    func bytes(_ event: inout snd_seq_event_t, _ body: (ArraySlice<UInt8>) -> Void) {
        let count = snd_midi_event_decode(codec, &piece, piece.count, &event)
        if count > 0 { body(piece[..<count]) }
    }
}
