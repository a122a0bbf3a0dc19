internal import CALSA
internal import CRealtime
internal import DSP

/// Sample format of a sound device, best first, in native byte order.
enum SampleFormat: CaseIterable, Sendable {
    case float
    case integer32
    case integer16

    var alsa: snd_pcm_format_t {
        switch self {
        case .float: SND_PCM_FORMAT_FLOAT
        case .integer32: SND_PCM_FORMAT_S32
        case .integer16: SND_PCM_FORMAT_S16
        }
    }

    /// Bytes per sample of one channel.
    var size: Int { self == .integer16 ? 2 : 4 }
}

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

/// Converts a recorded block, one or two channels in the sound device's sample format, to two sides. A single channel is
/// on both. Floats are limited as those of files are.
struct Deinterleaver: ~Copyable {
    let format: SampleFormat
    let channels: Int
    /// Memory for a block of the sound device.
    let bytes: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - channels: 1 or more; channels after the second are ignored.
    ///   - frames: capacity in frames.
    init(_ format: SampleFormat, channels: Int, frames: Int) {
        self.format = format
        self.channels = channels
        bytes = .allocate(byteCount: frames * channels * format.size, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: frames * channels * format.size)
    }

    deinit { bytes.deallocate() }

    /// Bytes per frame.
    var frameSize: Int { channels * format.size }

    /// - Returns: number of samples that were out of range and have been limited.
    @_noLocks @_noAllocation @discardableResult
    func empty(into sides: borrowing EarBuffers, frames: Int) -> Int {
        let second = channels > 1 ? 1 : 0
        for frame in 0..<frames {
            sides.left[frame] = sample(frame &* channels)
            sides.right[frame] = sample(frame &* channels &+ second)
        }
        guard case .float = format else { return 0 }
        return rt_limit_samples(sides.left, frames) &+ rt_limit_samples(sides.right, frames)
    }

    @_noLocks @_noAllocation
    private func sample(_ place: Int) -> Float {
        switch format {
        case .float: bytes.assumingMemoryBound(to: Float.self)[place]
        case .integer32: Float(bytes.assumingMemoryBound(to: Int32.self)[place]) * 0x1p-31
        case .integer16: Float(bytes.assumingMemoryBound(to: Int16.self)[place]) * 0x1p-15
        }
    }
}

/// Memory for recorded frames of a device, and the frames of some of its channels. For one thread at a time.
struct ChannelPicker: ~Copyable {
    private let format: SampleFormat
    private let channels: Int
    /// Places of the wanted channels in a frame.
    private let places: [Int]
    let bytes: UnsafeMutableRawPointer
    /// Interleaved frames of the wanted channels.
    let picked: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - channels: number of channels of the device.
    ///   - wanted: numbers of channels, the first is 1.
    ///   - frames: capacity in frames.
    init(_ format: SampleFormat, channels: Int, wanted: [Int], frames: Int) {
        self.format = format
        self.channels = channels
        places = wanted.map { $0 - 1 }
        bytes = .allocate(byteCount: frames * channels * format.size, alignment: 16)
        picked = .allocate(capacity: frames * wanted.count)
    }

    deinit {
        bytes.deallocate()
        picked.deallocate()
    }

    /// Converts the first frames of the memory.
    func pick(frames: Int) {
        switch format {
        case .float: pick(Float.self, frames) { $0 }
        case .integer32: pick(Int32.self, frames) { Float($0) * 0x1p-31 }
        case .integer16: pick(Int16.self, frames) { Float($0) * 0x1p-15 }
        }
        if case .float = format { _ = rt_limit_samples(picked, frames * places.count) }
    }

    @inline(__always)
    private func pick<Sample>(_ type: Sample.Type, _ frames: Int, _ convert: (Sample) -> Float) {
        let samples = bytes.assumingMemoryBound(to: type)
        var target = picked
        for frame in 0..<frames {
            for place in places {
                target.pointee = convert(samples[frame * channels + place])
                target += 1
            }
        }
    }
}
