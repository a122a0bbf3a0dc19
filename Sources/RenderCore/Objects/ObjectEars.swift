internal import Binaural
internal import CRealtime
internal import DSP

/// One listener's two ears for the sound objects: delay and direct share of each object at the end of the last block.
struct ObjectEars: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Of each object left delay, right delay, left share, right share.
    private nonisolated(unsafe) let states: UnsafeMutablePointer<SIMD4<Float>>

    init(count objects: Int, reflections: Int) {
        let count = PreparedObjects.places(objects: objects, reflections: reflections)
        states = .allocate(capacity: count)
        states.initialize(repeating: .zero, count: count)
    }

    deinit { states.deallocate() }

    /// Adds the audible objects to both ears in `work.ears`.
    ///
    /// - Parameters:
    ///   - head: unit quaternion w x y z, head to world.
    ///   - nose: cosine and sine of the angle between nose and ear.
    ///   - front: world yaw that counts as straight ahead, degrees.
    @_noLocks @_noAllocation
    func mix(
        _ objects: borrowing PreparedObjects, head: SIMD4<Float>, nose: SIMD2<Float>, front: Float, frames: Int,
        work: borrowing RenderWork
    ) {
        let (ahead, across, up) = Ears.directions(head: head, nose: nose, front: front)
        let (left, right) = (work.ears.row(0), work.ears.row(1))
        let mixes = work.objectMixes
        for i in 0..<objects.activeCount {
            let object = objects.active[i]
            let cosines = ahead * object.direction[0] + across * object.direction[1] + up * object.direction[2]
            let now = SIMD4(lowHalf: objects.shadow.delay(cosine: cosines), highHalf: SphereShadow.direct(cosine: cosines))
            let before = object.isFresh ? now : states[object.object]
            states[object.object] = now
            let (whole, low) = (objects.row(object.object, 0), objects.row(object.object, 1))
            mixes[0].add(whole, low, from: SIMD2(before[0], before[2]), to: SIMD2(now[0], now[2]), onto: left, frames: frames)
            mixes[1].add(whole, low, from: SIMD2(before[1], before[3]), to: SIMD2(now[1], now[3]), onto: right, frames: frames)
        }
        mixes[0].finish(onto: left, frames: frames)
        mixes[1].finish(onto: right, frames: frames)
    }
}
