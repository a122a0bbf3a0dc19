internal import DSP

/// Fades the sound of a device in when it starts, and out before it ends: linearly, within 5 ms.
struct LiveFade {
    /// Change of the gain from frame to frame.
    private let step: Float
    /// Gain after the block before.
    private var gain: Float = 0
    private var isOut = false

    /// - Parameter rate: frames per second.
    init(rate: Int) { step = 1 / Float(max(1, rate / 200)) }

    /// Whether the sound has been faded out.
    var isSilent: Bool { isOut && gain == 0 }

    mutating func apply(to ears: borrowing EarBuffers, frames: Int, isOut: Bool) {
        self.isOut = isOut
        let target: Float = isOut ? 0 : 1
        if gain == 1, !isOut { return }
        let begin = gain
        for row in 0..<2 * ears.listeners {
            let samples = ears.row(row)
            gain = begin
            for frame in 0..<frames {
                gain = Ramp.approach(target, from: gain, step: step)
                samples[frame] *= gain
            }
        }
    }
}
