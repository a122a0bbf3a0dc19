internal import Binaural
internal import DSP

/// Spectra of one block's microphones as magnitudes and phases, shared by all listeners.
///
/// A microphone's frame is analysed when the first listener asks for it and kept for the block, so that frames without
/// a listener cost nothing.
struct MicrophoneSpectra: ~Copyable, Sendable {
    private let transform: FrameTransform
    // SAFETY: the two are owned by this value alone, which cannot be copied. They are written by one thread at a time;
    // several threads may read once every frame of the block has been analysed.
    private nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    // SAFETY: as above. Whether the frame of a hop and channel has been analysed.
    private nonisolated(unsafe) let isKnown: UnsafeMutablePointer<Bool>
    private let most: Int

    init(frame: SpectralFrame, period: Int) {
        transform = FrameTransform(length: frame.length)
        most = HopGrid.most(period: period, hop: frame.hop)
        let frames = most * MicrophoneArray.capacity
        samples = .allocateAligned(frames * 2 * transform.floats)
        isKnown = .allocate(capacity: frames)
        isKnown.initialize(repeating: false, count: frames)
    }

    deinit {
        samples.deallocate()
        isKnown.deallocate()
    }

    /// Floats in a row of magnitudes or phases.
    var floats: Int { @_noLocks @_noAllocation get { transform.floats } }

    /// Forgets the frames of the last block.
    @_noLocks @_noAllocation
    mutating func begin(hops: Int) {
        for i in 0..<hops &* MicrophoneArray.capacity { isKnown[i] = false }
    }

    /// The magnitudes of a microphone's frame; its phases follow `floats` further.
    ///
    /// - Parameters:
    ///   - hop: frame of the block, counted from 0.
    ///   - input: samples of the frame.
    @_noLocks @_noAllocation
    borrowing func frame(hop: Int, channel: Int, of input: UnsafePointer<Float>) -> UnsafePointer<Float> {
        let index = hop &* MicrophoneArray.capacity &+ channel
        let magnitude = samples + index &* 2 &* floats
        if !isKnown[index] {
            transform.analyse(input)
            Polar.split(transform.spectrum, count: floats, magnitude: magnitude, phase: magnitude + floats)
            isKnown[index] = true
        }
        return UnsafePointer(magnitude)
    }
}
