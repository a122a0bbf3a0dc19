internal import CRealtime
internal import DSP

/// Samples at a multiple of the rate: a row for each phase within a sample, each preceded by earlier samples.
struct PhaseRows: ~Copyable, Sendable {
    private let memory: Row
    private let stride: Int
    private let history: Int
    private let phases: Int

    /// - Parameter history: samples kept from before the block.
    init(phases: Int, history: Int, largestBlock: Int) {
        self.phases = phases
        self.history = history
        stride = roundedToLanes(history + largestBlock + 64)
        memory = Row(phases * stride)
    }

    /// Sample `at` of the block in the phase with this index; indices from one sample before to one sample after are valid.
    @_noLocks @_noAllocation @inline(__always)
    func samples(_ index: Int, _ at: Int) -> UnsafeMutablePointer<Float> {
        if index < 0 { return memory.samples + ((index &+ phases) &* stride &+ history &+ at &- 1) }
        if index < phases { return memory.samples + (index &* stride &+ history &+ at) }
        return memory.samples + ((index &- phases) &* stride &+ history &+ at &+ 1)
    }

    @_noLocks @_noAllocation
    func reset() { memory.clear() }

    /// Moves the end of the block to the history.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) {
        for phase in 0..<phases {
            let start = memory.samples + phase &* stride
            rt_move(start, start + frames, history)
        }
    }
}
