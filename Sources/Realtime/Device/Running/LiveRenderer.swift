internal import CRealtime
internal import Render

/// A renderer as the thread of a live device calls it: claimed for each block, faded in at first and faded out on request.
///
/// Before the renderer comes and after it has been taken, blocks are silent.
struct LiveRenderer<Renderer: BlockRenderer & ~Copyable>: ~Copyable {
    let ears: EarBuffers
    private let holder: RendererHolder<Renderer>
    private var fade: LiveFade
    /// Lost blocks not yet reported to the renderer.
    private var lost = 0
    /// Limited samples of live input not yet reported to the renderer.
    private var limited = 0

    /// - Parameters:
    ///   - frames: largest block.
    ///   - rate: frames per second.
    ///   - listeners: number of listeners whose ears the device plays.
    init(_ holder: RendererHolder<Renderer>, frames: Int, rate: Int, listeners: Int) {
        self.holder = holder
        ears = EarBuffers(frames: frames, listeners: min(listeners, holder.listeners))
        fade = LiveFade(rate: rate)
    }

    mutating func render(frames: Int, at time: BlockTime) {
        guard begin(time) else { return ears.silence(frames: frames) }
        finish(frames, time)
    }

    /// Renders a block together with a recorded one.
    mutating func render(_ recorded: RecordedBlock, frames: Int, at time: BlockTime) {
        guard begin(time) else { return ears.silence(frames: frames) }
        if let (left, right) = recorded.input {
            holder.pointer.pointee.take(left: left, right: right, frames: frames, from: recorded.time)
        }
        if let (samples, channels) = recorded.array {
            holder.pointer.pointee.take(array: samples, channels: channels, frames: frames, from: recorded.time)
        }
        finish(frames, time)
    }

    /// Counts lost blocks; they are reported to the renderer with the next block.
    mutating func count(xruns: Int) { lost += xruns }

    /// Counts samples of live input that were limited; they are reported to the renderer with the next block.
    mutating func count(limited: Int) { self.limited += limited }

    private mutating func begin(_ time: BlockTime) -> Bool {
        holder.note(block: time.begin)
        guard holder.enter() else {
            // Silent blocks do not count as lost.
            lost = 0
            return false
        }
        if lost > 0 {
            holder.pointer.pointee.count(xruns: lost)
            lost = 0
        }
        if limited > 0 {
            holder.pointer.pointee.count(limited: limited)
            limited = 0
        }
        return true
    }

    private mutating func finish(_ frames: Int, _ time: BlockTime) {
        ears.render(holder.pointer, frames: frames, at: time)
        holder.leave()
        fade.apply(to: ears, frames: frames, isOut: holder.fading.isRaised)
        if fade.isSilent, !holder.faded.isRaised { holder.faded.raise() }
    }
}

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

/// Sound that a device has recorded for the block that is rendered next.
struct RecordedBlock {
    /// The live input; nil when there is none.
    var input: (left: UnsafePointer<Float>, right: UnsafePointer<Float>)?
    /// Interleaved frames of a live array; nil when there is none.
    var array: (samples: UnsafePointer<Float>, channels: Int)?
    /// Time at which the first frame was at the converter, CLOCK_MONOTONIC nanoseconds.
    var time: UInt64
}
