internal import Binaural
internal import CRealtime
internal import DSP

/// The way of one object's sound to the heads: directivity, absorption by air, and the delay, which moves with the distance.
///
/// Each is left out, to the bit, while it is off.
struct ObjectPath: ~Copyable, Sendable {
    private var line: MovingDelay
    private var distance = Follower(1)
    private var air = AirFilter()
    private var delayShare = Smoother(0)
    private var directivity: Float = 1
    private var isDelayed = false

    init(rate: Float, period: Int) {
        let longest = Propagation.farthest / MicrophoneArray.speedOfSound * rate
        line = MovingDelay(longest: Int(clamping: longest), period: period)
    }

    /// Frames for which the object still sounds after its sound has ended.
    @_noLocks @_noAllocation @inline(__always)
    func tail(_ common: borrowing Propagation) -> Int {
        let delay = isDelayed ? Int(clamping: common.delay(distance.value)) &+ SincTaps.count : 0
        return delay &+ (air.isOn ? Int(rt_whole(0.02 * common.rate)) : 0)
    }

    /// Processes a block in place.
    ///
    /// - Parameters:
    ///   - direction: unit vector from the heads to the object.
    ///   - isFresh: whether the object was inaudible in the block before.
    ///   - spare: working memory for a block.
    @_noLocks @_noAllocation
    mutating func process(
        _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings, direction: SIMD3<Float>, isFresh: Bool,
        _ common: borrowing Propagation, block: Block, spare: UnsafeMutablePointer<Float>
    ) {
        let metres = Double(min(Propagation.farthest, settings.distance))
        let before = isFresh ? metres : distance.value
        if isFresh {
            distance = Follower(metres)
            air.share.value = settings.air
            delayShare.value = settings.doppler
            directivity = pattern(settings, direction)
            if isDelayed { line.clear() }
        } else {
            distance.advance(
                to: metres, seconds: Double(block.seconds), time: Propagation.time, fastest: Propagation.fastest)
        }
        direct(row, settings, direction, block)
        air.process(row, to: settings.air, metres: Float(distance.value), isFresh: isFresh, common, block)
        delay(row, settings, from: common.delay(before), to: common.delay(distance.value), common, block, spare: spare)
    }

    // MARK: Directivity

    @_noLocks @_noAllocation
    private func pattern(_ settings: ObjectSettings, _ direction: SIMD3<Float>) -> Float {
        Directivity.factor(settings.directivity, front: Directivity.front(yaw: settings.yaw, pitch: settings.pitch), towards: -direction)
    }

    @_noLocks @_noAllocation
    private mutating func direct(
        _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings, _ direction: SIMD3<Float>, _ block: Block
    ) {
        guard settings.directivity != 0 || directivity != 1 else { return }
        let wanted = settings.directivity == 0 ? 1 : pattern(settings, direction)
        let next = Smoother.next(directivity, to: wanted, share: block.gainShare, tolerance: 1e-5)
        Ramp(from: directivity, to: next, frames: block.frames).scale(row, frames: block.frames)
        directivity = next
    }

    // MARK: Delay

    @_noLocks @_noAllocation
    private mutating func delay(
        _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings, from before: Double, to now: Double,
        _ common: borrowing Propagation, _ block: Block, spare: UnsafeMutablePointer<Float>
    ) {
        guard settings.doppler != 0 || delayShare.value != 0 else { return isDelayed = false }
        if !isDelayed {
            line.clear()
            isDelayed = true
        }
        line.write(row, frames: block.frames)
        line.read(spare, frames: block.frames, from: before, to: now, taps: common.taps)
        let share = delayShare.ramp(to: settings.doppler, share: block.gainShare, frames: block.frames, tolerance: 1e-4)
        if share.isOne { return rt_copy(row, spare, block.frames) }
        share.crossfade(from: row, to: spare, into: row, frames: block.frames)
    }
}
