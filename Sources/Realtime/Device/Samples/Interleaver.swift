internal import CRealtime
internal import DSP

/// Interleaves the rows of all channels in the sound device's sample format.
///
/// Integers are limited to full scale, floats are not. Values that are not numbers become silence.
struct Interleaver: ~Copyable {
    let format: SampleFormat
    let channels: Int
    /// The most recently filled block.
    let bytes: UnsafeMutableRawPointer
    private var dither = Dither()

    /// - Parameter frames: capacity in frames.
    init(_ format: SampleFormat, channels: Int = 2, frames: Int) {
        self.format = format
        self.channels = channels
        bytes = .allocate(byteCount: frames * channels * format.size, alignment: 16)
    }

    deinit { bytes.deallocate() }

    /// Bytes per frame.
    var frameSize: Int { channels * format.size }

    /// - Parameters:
    ///   - rows: a row of samples for each channel.
    ///   - stride: samples from a row to the next.
    @_noLocks @_noAllocation
    mutating func fill(_ rows: UnsafePointer<Float>, stride: Int, frames: Int) {
        switch format {
        case .float:
            let samples = bytes.assumingMemoryBound(to: Float.self)
            for channel in 0..<channels {
                for frame in 0..<frames { samples[frame &* channels &+ channel] = rows[channel &* stride &+ frame] }
            }
        case .integer32:
            let samples = bytes.assumingMemoryBound(to: Int32.self)
            for channel in 0..<channels {
                for frame in 0..<frames { samples[frame &* channels &+ channel] = Self.integer32(rows[channel &* stride &+ frame]) }
            }
        case .integer16:
            let samples = bytes.assumingMemoryBound(to: Int16.self)
            for frame in 0..<frames {
                for channel in 0..<channels {
                    samples[frame &* channels &+ channel] = Self.integer16(rows[channel &* stride &+ frame], noise: dither.next())
                }
            }
        }
    }

    /// Converts a sample to 32 bits, without dither since a float has 24 significant bits.
    @_noLocks @_noAllocation
    static func integer32(_ sample: Float) -> Int32 {
        let scaled = sample * 0x1p31
        if scaled >= 0x1p31 { return .max }
        if scaled <= -0x1p31 { return .min }
        return scaled == scaled ? Int32(truncatingIfNeeded: rt_whole(scaled)) : 0
    }

    /// Converts a sample to 16 bits with dither.
    ///
    /// - Parameter noise: dither in quantisation steps.
    @_noLocks @_noAllocation
    static func integer16(_ sample: Float, noise: Float) -> Int16 {
        let scaled = sample * 0x1p15 + noise
        if scaled >= 32767 { return .max }
        if scaled <= -32768 { return .min }
        // Conversion truncates towards zero; on positive numbers, adding a half first rounds.
        return scaled == scaled ? Int16(truncatingIfNeeded: rt_whole(scaled + 32768.5) &- 32768) : 0
    }
}
