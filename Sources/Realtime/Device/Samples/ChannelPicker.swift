internal import CRealtime

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
