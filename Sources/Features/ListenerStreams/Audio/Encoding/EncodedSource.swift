internal import Crossing
internal import Streaming

/// The sound of one listener on its way to the encoders of all encodings that its clients have.
// SAFETY: made on the control thread, and used on one encoder thread only from its handover on.
final class EncodedSource: @unchecked Sendable {
    /// Number of the listener, from 1.
    let listener: Int
    private let rate: Int
    private let position: @Sendable () -> Int64
    private var source: FrameRing.Consumer
    private var encodings: [StreamEncoding: PacketAssembler] = [:]
    /// Inlets of streams with many receivers.
    private var inlets: [SoundInlet] = []
    private var samples: [Float]
    /// The engine's sample count at the next frame to read; nil after a discontinuity, until the next frame.
    private var next: Int64?
    /// Sample count of the first frame in the ring, as the last turn found it; nil without a turn.
    private var first: Int64?
    /// Sample count before which frames are left out: those from before the first client.
    private var begin: Int64 = 0
    /// Sample count of the last read; later frames wait for the next one.
    private var limit: Int64 = 0

    init(listener: Int, rate: Int, source: consuming FrameRing.Consumer, position: @escaping @Sendable () -> Int64) {
        self.listener = listener
        self.rate = rate
        self.source = source
        self.position = position
        samples = .init(repeating: 0, count: 2 * max(1, rate / 100))
    }

    var isIdle: Bool { encodings.isEmpty && inlets.isEmpty }

    /// The engine's sample count after the last frame that was written.
    var end: Int64 { position() }

    /// Notes the frames written so far. Commands that are carried out afterwards apply to all of these frames, so that no client misses its
    /// first ones.
    func look() { limit = position() }

    /// Begins and ends encodings; those that stay are not disturbed.
    ///
    /// - Parameter begin: sample count before which the first encoding has no sound.
    func encode(_ wanted: Set<StreamEncoding>, from begin: Int64) {
        if isIdle, !wanted.isEmpty { awake(begin) }
        for encoding in encodings.keys where !wanted.contains(encoding) { encodings[encoding] = nil }
        for encoding in wanted where encodings[encoding] == nil { encodings[encoding] = PacketAssembler(encoding, rate: rate) }
    }

    /// Sets the inlets that receive the sound.
    ///
    /// - Parameter begin: as for encodings.
    func feed(_ inlets: [SoundInlet], from begin: Int64) {
        if isIdle, !inlets.isEmpty { awake(begin) }
        self.inlets = inlets
    }

    private func awake(_ begin: Int64) { (next, first, self.begin) = (nil, nil, begin) }

    /// Encodes everything that had arrived at the last call of ``look()``.
    func pump(_ pass: (EncodedPacket) -> Void) {
        guard !isIdle else { return }
        locate()
        while let start = next, start < limit, case let frames = read(Int(clamping: limit - start)), frames > 0 {
            samples.withUnsafeBufferPointer { memory in
                let added = UnsafeBufferPointer(rebasing: memory[..<(2 * frames)])
                for encoding in encodings.keys { encodings[encoding]?.add(added, at: start, listener: listener, pass) }
                for inlet in inlets { inlet.put(added, at: start, newest: limit) }
            }
            next = start + Int64(frames)
        }
    }

    /// Finds the ring's position in time, and whether the audio thread had to drop frames.
    private func locate() {
        let before = position()
        let available = Int64(source.available)
        // When a block was written in between, the two numbers do not match. The next round will do.
        guard available > 0, position() == before else { return }
        let first = before - available
        guard let expected = next else {
            // A block is in the ring a moment before it is in the position, so that two turns have to agree.
            guard first == self.first else {
                self.first = first
                if available == Int64(source.capacity) { discard() }
                return
            }
            let old = max(0, begin - first)
            source.skip(Int(clamping: min(old, available)))
            next = old <= available ? first + old : nil
            return
        }
        guard first > expected else { return }
        // Frames are missing somewhere in the ring. All are discarded, so that no packet spans the gap.
        discard()
        for encoding in encodings.keys { encodings[encoding]?.skip() }
    }

    private func discard() {
        source.skip(source.available)
        (next, first) = (nil, nil)
    }

    /// Reads at most this number of frames; returns the number read.
    private func read(_ most: Int) -> Int {
        let frames = min(most, samples.count / 2)
        return samples.withUnsafeMutableBufferPointer { memory in source.read(memory.baseAddress!, frames: frames) }
    }
}
