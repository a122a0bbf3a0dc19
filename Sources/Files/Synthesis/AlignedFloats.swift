internal import DSP

/// Memory for a Fourier transform, freed with its owner.
struct AlignedFloats: ~Copyable {
    let floats: UnsafeMutablePointer<Float>
    let count: Int

    /// Zeros.
    init(_ count: Int) {
        self.count = count
        floats = .allocateAligned(count)
    }

    deinit { floats.deallocate() }
}
