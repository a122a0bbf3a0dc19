internal import CRealtime

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
