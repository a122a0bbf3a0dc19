internal import DSP

/// One channel of a scene on its way into packets: a microphone, a side of the live input, or an object.
struct SceneTrack {
    /// Factor that leaves room for signals above full scale.
    static let scale: Float = 0.25

    private let encoder: OpusPacketEncoder
    private(set) var samples: [Float] = []

    /// - Returns: nil when the library refuses.
    init?(bitrate: Int, frames: Int) {
        guard let encoder = OpusPacketEncoder(bitrate: bitrate, channels: 1) else { return nil }
        self.encoder = encoder
        samples.reserveCapacity(frames)
    }

    /// Adds every `stride`th of the samples.
    mutating func add(_ source: UnsafePointer<Float>, stride: Int, count: Int) {
        for frame in 0..<count { samples.append(Self.scale * source[frame * stride]) }
    }

    /// Adds silence up to a number of frames.
    mutating func pad(to frames: Int) {
        if samples.count < frames { samples.append(contentsOf: repeatElement(0, count: frames - samples.count)) }
    }

    /// Fades the sound so far in.
    mutating func fadeIn(_ frames: Int) {
        samples.withUnsafeMutableBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            Ramp(from: 0, to: 1, frames: frames).scale(first, frames: min(frames, samples.count))
        }
    }

    mutating func clear() { samples.removeAll(keepingCapacity: true) }

    /// Appends the length in bytes of the encoded sound, 16 bits, and that sound, and begins the next packet.
    mutating func encode(into bytes: inout [UInt8]) {
        let place = bytes.count
        bytes += [0, 0]
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        let length = bytes.count - place - 2
        (bytes[place], bytes[place + 1]) = (UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8))
        clear()
    }
}
