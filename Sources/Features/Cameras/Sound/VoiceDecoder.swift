internal import COpus
internal import CRealtime
internal import Media
internal import Streaming

/// Decodes the Opus packets of one microphone, and continues its sound where packets are missing.
final class VoiceDecoder {
    /// Bytes of the longest packet, and frames of the longest one that is decoded.
    static let (mostBytes, mostFrames) = (RelayFrame.largestSound - RelayFrame.headerBytes, 5760)
    /// Frames in steps of which missing sound is continued: 2.5 ms.
    private static let step = 120

    private let decoder: OpaquePointer
    /// Sound of the latest call.
    let samples: UnsafeMutablePointer<Float>

    /// - Returns: nil when the library refuses.
    init?() {
        var status: Int32 = 0
        guard let decoder = opus_decoder_create(opus_int32(Opus.rate), 1, &status), status == OPUS_OK else { return nil }
        self.decoder = decoder
        samples = .allocate(capacity: Self.mostFrames)
    }

    deinit {
        opus_decoder_destroy(decoder)
        samples.deallocate()
    }

    /// Frames in a packet; nil when it is none.
    static func frames(in packet: [UInt8]) -> Int? {
        guard (1...mostBytes).contains(packet.count) else { return nil }
        let count = Int(opus_packet_get_nb_samples(packet, opus_int32(packet.count), opus_int32(Opus.rate)))
        return (1...mostFrames).contains(count) ? count : nil
    }

    /// Decodes a packet into ``samples``.
    /// - Returns: number of frames; nil for one that cannot be decoded.
    func decode(_ packet: [UInt8]) -> Int? {
        finish(opus_decode_float(decoder, packet, opus_int32(packet.count), samples, Int32(Self.mostFrames), 0))
    }

    /// Continues the sound by about as many frames, fading with time.
    /// - Returns: number of frames.
    func conceal(_ frames: Int) -> Int {
        let count = min(Self.mostFrames, (frames + Self.step - 1) / Self.step * Self.step)
        return count > 0 ? finish(opus_decode_float(decoder, nil, 0, samples, Int32(count), 0)) ?? 0 : 0
    }

    private func finish(_ count: Int32) -> Int? {
        guard count > 0 else { return nil }
        _ = rt_limit_samples(samples, Int(count))
        for frame in 0..<Int(count) { samples[frame] = max(-1, min(1, samples[frame])) }
        return Int(count)
    }
}
