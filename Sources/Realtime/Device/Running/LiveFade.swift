/// Fades the sound of a device in when it starts, and out before it ends: linearly, within 5 ms.
struct LiveFade {
    private let length: Float
    /// Gain after the previous block, times `length`.
    private var place: Float = 0
    private var isOut = false

    /// - Parameter rate: frames per second.
    init(rate: Int) { length = Float(max(1, rate / 200)) }

    /// Whether the sound has been faded out.
    var isSilent: Bool { isOut && place == 0 }

    mutating func apply(to ears: borrowing EarBuffers, frames: Int, isOut: Bool) {
        self.isOut = isOut
        if place == length, !isOut { return }
        let begin = place
        let step: Float = isOut ? -1 : 1
        for row in 0..<2 * ears.listeners {
            let samples = ears.row(row)
            place = begin
            for frame in 0..<frames {
                place = min(max(place + step, 0), length)
                samples[frame] *= place / length
            }
        }
    }
}
