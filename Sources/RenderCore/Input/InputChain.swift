package import DSP
package import Rack

/// Level, choice of channels and rack of the live input, once per block for all listeners.
package struct InputChain: ~Copyable, Sendable {
    private var rack: LiveRack
    private var gain = Smoother()
    private var matrix = SIMD4<Float>(1, 0, 0, 1)

    package init(rack: consuming LiveRack) { self.rack = rack }

    /// Latency of the rack, samples.
    package var latency: Int { @_noLocks @_noAllocation get { rack.latency } }

    /// Number of times that sound out of range was kept from the rack.
    package var counts: RangeCounts { @_noLocks @_noAllocation get { rack.counts } }

    /// Processes a block in place.
    @_noLocks @_noAllocation
    package mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ settings: InputSettings, block: Block
    ) {
        let level = gain.ramp(to: settings.gain, share: block.gainShare, frames: block.frames, tolerance: 1e-5)
        let before = matrix * level.from
        matrix += (Self.matrix(settings.channels) - matrix) * block.gainShare
        let gains = VectorRamp(from: before, to: matrix * gain.value, frames: block.frames)
        for i in 0..<block.frames {
            let m = gains.value(at: i)
            let (l, r) = (left[i], right[i])
            left[i] = m[0] * l + m[1] * r
            right[i] = m[2] * l + m[3] * r
        }
        rack.process(left, right, frames: block.frames, tempo: block.tempo)
    }

    /// Shares of the left and right channel in the left output, then in the right one.
    @_noLocks @_noAllocation
    private static func matrix(_ channels: Int) -> SIMD4<Float> {
        switch channels {
        case 1: SIMD4(1, 0, 1, 0)
        case 2: SIMD4(0, 1, 0, 1)
        case 3: SIMD4(0.5, 0.5, 0.5, 0.5)
        default: SIMD4(1, 0, 0, 1)
        }
    }
}
