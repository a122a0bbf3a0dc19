internal import ListenerStreams

/// Makes the parts of one format from the sound of a listener.
struct HLSRenditionEncoder {
    private let format: HLSFormat
    private let timing: HLSTiming
    private let packer: SoundPacker
    private var samples: [Float] = []
    /// Packets of the part that is being made.
    private var packets = 0
    /// Frames of all earlier parts.
    private var frames: Int64 = 0

    /// - Parameter pass: receives the initialization segment.
    init(_ format: HLSFormat, rate: Int, bitrate: Int, _ pass: (HLSFragment) -> Void) throws(SoundPacker.Problem) {
        self.format = format
        packer = try SoundPacker(format.kind, rate: rate, bitrate: bitrate)
        timing = HLSTiming(packet: packer.frames, rate: rate)
        pass(.initialization(format, timing, bytes: try packer.take()))
    }

    /// Adds frames, and passes on each part that they complete.
    ///
    /// - Parameters:
    ///   - added: interleaved and finite.
    ///   - date: time at which a frame was rendered, by its number among all that were added.
    mutating func add(
        _ added: UnsafeBufferPointer<Float>, date: (Int64) -> Double, _ pass: (HLSFragment) -> Void
    ) throws(SoundPacker.Problem) {
        samples.append(contentsOf: added)
        var used = 0
        while samples.count - used >= 2 * packer.frames {
            // A closure would hide which error it throws.
            let result = samples.withUnsafeBufferPointer { memory in
                Result { () throws(SoundPacker.Problem) in
                    try packer.add(UnsafeBufferPointer(rebasing: memory[used..<(used + 2 * packer.frames)]))
                }
            }
            used += 2 * packer.frames
            packets += try result.get()
            guard packets >= timing.packets else { continue }
            let part = HLSPart(duration: Double(packets * packer.frames) / Double(timing.rate), bytes: try packer.take())
            pass(.part(format, part, date: date(frames - Int64(packer.delay))))
            frames += Int64(packets * packer.frames)
            packets = 0
        }
        samples.removeFirst(used)
    }
}
