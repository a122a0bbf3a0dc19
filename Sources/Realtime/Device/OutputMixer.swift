internal import CRealtime
internal import Crossing
internal import DSP

/// Puts the ears of listeners on the channels of a device. For the device's thread only.
///
/// A listener whose channels change is faded out in one block and in with the next.
struct OutputMixer: ~Copyable {
    let channels: Int
    private let routes: OutputRoutes
    private let wanted: TargetRow.View
    private let listeners: Int
    private let stride: Int
    /// A row for each channel.
    let rows: UnsafeMutablePointer<Float>
    /// Present code of each listener's channels; after a change, the next block is faded in.
    private let codes: UnsafeMutablePointer<Float>
    private let isNew: UnsafeMutablePointer<Bool>

    /// - Parameter frames: capacity in frames.
    init(_ routes: OutputRoutes, channels: Int, frames: Int) {
        self.routes = routes
        self.channels = channels
        wanted = routes.view
        listeners = routes.listeners
        stride = frames
        rows = .allocate(capacity: channels * frames)
        rows.initialize(repeating: 0, count: channels * frames)
        codes = .allocate(capacity: max(1, listeners))
        isNew = .allocate(capacity: max(1, listeners))
        isNew.initialize(repeating: false, count: listeners)
        for listener in 0..<listeners { (codes + listener).initialize(to: wanted[listener]) }
    }

    deinit {
        rows.deallocate()
        codes.deallocate()
        isNew.deallocate()
    }

    func silence(frames: Int) { for channel in 0..<channels { row(channel).update(repeating: 0, count: frames) } }

    mutating func fill(from ears: borrowing EarBuffers, frames: Int) {
        silence(frames: frames)
        for listener in 0..<min(listeners, ears.listeners) {
            let code = codes[listener]
            let isLeaving = !isNew[listener] && wanted[listener] != code
            if let pair = OutputRoutes.pair(code) {
                let gains: (Float, Float) = (isNew[listener] ? 0 : 1, isLeaving ? 0 : 1)
                play(ears.row(2 * listener), on: pair.left, gains, frames)
                play(ears.row(2 * listener + 1), on: pair.right, gains, frames)
            }
            isNew[listener] = isLeaving
            if isLeaving { codes[listener] = wanted[listener] }
        }
    }

    private func row(_ channel: Int) -> UnsafeMutablePointer<Float> { rows + channel * stride }

    private func play(_ ear: UnsafePointer<Float>, on channel: Int, _ gains: (from: Float, to: Float), _ frames: Int) {
        guard channel <= channels else { return }
        let row = row(channel - 1)
        guard gains.from < 1 || gains.to < 1 else { return rt_copy(row, ear, frames) }
        let ramp = Ramp(from: gains.from, to: gains.to, frames: frames)
        for frame in 0..<frames { row[frame] += ear[frame] * ramp.value(at: frame) }
    }

    /// The most recently filled block, interleaved in a sound device's sample format.
    func interleave(into samples: inout Interleaver, frames: Int) { samples.fill(rows, stride: stride, frames: frames) }
}
