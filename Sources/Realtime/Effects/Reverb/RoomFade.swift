internal import CRealtime
internal import DSP
internal import Specification

/// Course of the change from one room to another: the input moves over, then the old room's sound fades.
///
/// Neither room changes its delays, so that a steady tone keeps its frequency.
struct RoomFade: BitwiseCopyable, Sendable {
    /// Seconds in which the input moves to the new room, and until the old room is silent.
    private static var entering: Float { @_noLocks @_noAllocation get { 0.25 } }
    private static var whole: Float { @_noLocks @_noAllocation get { 0.6 } }

    static let smoothing = Smoothing.crossfade(seconds: whole)

    private let rate: Float
    /// Frames since the change began; negative when there is none.
    private var frame: Float = -1

    @_noLocks @_noAllocation
    init(rate: Float) { self.rate = rate }

    var isActive: Bool { @_noLocks @_noAllocation get { frame >= 0 } }

    @_noLocks @_noAllocation
    mutating func begin() { frame = 0 }

    @_noLocks @_noAllocation
    mutating func end() { frame = -1 }

    /// - Returns: whether the change has just ended.
    @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) -> Bool {
        guard isActive else { return false }
        frame += Float(frames)
        guard frame >= Self.whole * rate else { return false }
        frame = -1
        return true
    }

    /// Share of the input that enters the new room, at sixteen frames from `offset` on.
    @_noLocks @_noAllocation
    func entry(_ offset: Int) -> Lanes { smooth(offset, seconds: Self.entering) }

    /// Gain of the old room.
    @_noLocks @_noAllocation
    func exit(_ offset: Int) -> Lanes { 1 - smooth(offset, seconds: Self.whole) }

    /// Rises from 0 to 1 with three continuous derivatives: 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7.
    @_noLocks @_noAllocation
    private func smooth(_ offset: Int, seconds: Float) -> Lanes {
        let x = rt_min16((Ramp.count + (frame + Float(offset))) * (1 / (seconds * rate)), rt_all16(1))
        let square = x * x
        return square * square * (35 - x * (84 - x * (70 - x * 20)))
    }
}
