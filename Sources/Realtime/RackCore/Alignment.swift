internal import CRealtime

/// Delays stereo sound by a number of samples that may change, with a crossfade from the old delay to the new one.
struct Alignment: ~Copyable, Sendable {
    /// Longest delay in samples: sixteen effects of 2048 each.
    static var longest: Int { @_noLocks @_noAllocation get { 1 << 15 } }
    /// Frames of the crossfade.
    private static var fade: Int { @_noLocks @_noAllocation get { 960 } }

    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    private let length: Int
    private var at = 0
    /// Frames in the memory.
    private var filled = 0
    private var delay: Int
    private var before: Int
    /// Completed frames of the crossfade.
    private var faded = fade

    init(delay: Int, largestBlock: Int) {
        self.delay = min(delay, Self.longest)
        before = self.delay
        var length = 1
        while length < Self.longest + largestBlock { length *= 2 }
        self.length = length
        memory = .allocate(capacity: 2 * length)
        memory.initialize(repeating: 0, count: 2 * length)
    }

    deinit { memory.deallocate() }

    /// Processes one block in place.
    @_noLocks @_noAllocation
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, delay wanted: Int
    ) {
        let wanted = min(wanted, Self.longest)
        // A new delay is faded in once its samples are in the memory.
        if wanted != delay && faded >= Self.fade && filled >= wanted {
            before = delay
            delay = wanted
            faded = 0
        }
        let mask = length &- 1
        let (lefts, rights) = (memory, memory + length)
        for i in 0..<frames {
            let place = (at &+ i) & mask
            lefts[place] = left[i]
            rights[place] = right[i]
            let late = (place &- delay) & mask
            if faded >= Self.fade {
                left[i] = lefts[late]
                right[i] = rights[late]
            } else {
                let old = (place &- before) & mask
                let share = Float(faded) / Float(Self.fade)
                left[i] = lefts[old] + share * (lefts[late] - lefts[old])
                right[i] = rights[old] + share * (rights[late] - rights[old])
                faded = faded &+ 1
            }
        }
        at = (at &+ frames) & mask
        filled = min(Self.longest, filled &+ frames)
    }
}

/// Delays stereo sound by a fixed number of samples.
struct FixedDelay: ~Copyable, Sendable {
    let samples: Int
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    private let stride: Int

    init(samples: Int, largestBlock: Int) {
        self.samples = samples
        stride = samples + largestBlock + 64
        memory = .allocate(capacity: 2 * stride)
        memory.initialize(repeating: 0, count: 2 * stride)
    }

    deinit { memory.deallocate() }

    /// Delayed samples of the current block, valid until ``advance(_:)``.
    var left: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory } }
    var right: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory + stride } }

    @_noLocks @_noAllocation
    mutating func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) {
        rt_copy(memory + samples, left, frames)
        rt_copy(memory + (stride &+ samples), right, frames)
    }

    /// Ends the block.
    @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) {
        rt_move(memory, memory + frames, samples)
        rt_move(memory + stride, memory + (stride &+ frames), samples)
    }
}
