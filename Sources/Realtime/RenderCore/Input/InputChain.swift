internal import DSP

/// Level and choice of channels of the live input, once per block for all listeners.
package struct InputChain: ~Copyable, Sendable {
    private var gain = Smoother()
    private var matrix = SIMD4<Float>(1, 0, 0, 1)

    package init() {}

    /// Processes a block in place.
    @_noLocks @_noAllocation
    package mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ settings: InputSettings, block: Block
    ) {
        let level = gain.ramp(to: settings.gain, share: block.gainShare, frames: block.frames, tolerance: 1e-5)
        let before = matrix * level.from
        matrix = Smoother.next(matrix, to: Self.matrix(settings.channels), share: block.gainShare, tolerance: 1e-5)
        let gains = VectorRamp(from: before, to: matrix * gain.value, frames: block.frames)
        for i in 0..<block.frames {
            let m = gains.value(at: i)
            let (l, r) = (left[i], right[i])
            left[i] = m[0] * l + m[1] * r
            right[i] = m[2] * l + m[3] * r
        }
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
