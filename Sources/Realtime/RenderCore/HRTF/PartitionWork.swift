internal import Binaural
internal import DSP

/// Working memory of one thread for partitioned convolution.
struct PartitionWork: ~Copyable, Sendable {
    // SAFETY: the three are owned by this value alone, which cannot be copied; used by one thread at a time.
    // One spectrum: real, imaginary, real...
    nonisolated(unsafe) let spectrum: UnsafeMutablePointer<Float>
    // SAFETY: as above. Two partitions of samples.
    nonisolated(unsafe) let time: UnsafeMutablePointer<Float>
    // SAFETY: as above. Offset of each filter's channel within a spectrum.
    nonisolated(unsafe) let offsets: UnsafeMutablePointer<Int>

    init(_ frame: HRTFFrame) {
        spectrum = .allocateAligned(2 * frame.plane)
        time = .allocateAligned(2 * frame.part)
        offsets = .allocate(capacity: MicrophoneArray.capacity)
    }

    deinit {
        spectrum.deallocate()
        time.deallocate()
        offsets.deallocate()
    }
}
