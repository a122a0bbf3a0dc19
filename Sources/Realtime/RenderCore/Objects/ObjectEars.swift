internal import Binaural
internal import CRealtime
internal import DSP

/// One listener's two ears for the sound objects: delay and direct share of each object at the end of the last block.
struct ObjectEars: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Of each object left delay, right delay, left share, right share.
    private nonisolated(unsafe) let states: UnsafeMutablePointer<SIMD4<Float>>
    /// Number of objects; after them come places for other sound.
    private let count: Int

    init(count objects: Int, reflections: Int) {
        self.count = objects
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
    ///   - hrtf: measured filters for the objects.
    @_noLocks @_noAllocation
    func mix(
        _ objects: borrowing PreparedObjects, head: SIMD4<Float>, nose: SIMD2<Float>, front: Float, hrtf: ObjectHRTFChoice, frames: Int,
        work: borrowing RenderWork
    ) {
        guard hrtf.isMeasured else {
            add(
                objects, head: head, nose: nose, front: front, from: 0, to: .max, onto: (work.ears.row(0), work.ears.row(1)),
                frames: frames, work: work)
            return
        }
        let axes = HeadAxes(head: head, front: front)
        for row in 0..<4 { rt_zero(work.objectRows.row(row), roundedToLanes(frames)) }
        add(
            objects, head: head, nose: nose, front: front, from: count, to: .max, onto: (work.objectRows.row(0), work.objectRows.row(1)),
            frames: frames, work: work)
        if hrtf.hasSphere {
            add(
                objects, head: head, nose: nose, front: front, from: 0, to: count, onto: (work.objectRows.row(2), work.objectRows.row(3)),
                frames: frames, work: work)
        }
        play(hrtf.leaving, from: 1 - hrtf.share.from, to: 1 - hrtf.reached, objects, axes, frames: frames, work: work)
        play(hrtf.current, from: hrtf.share.from, to: hrtf.reached, objects, axes, frames: frames, work: work)
    }

    /// Adds the objects to both ears, through measured filters or through the sphere.
    @_noLocks @_noAllocation
    private func play(
        _ hrtf: UnsafeMutablePointer<ObjectHRTF>?, from: Float, to: Float, _ objects: borrowing PreparedObjects, _ axes: HeadAxes,
        frames: Int, work: borrowing RenderWork
    ) {
        guard from != 0 || to != 0 else { return }
        let ramp = Ramp(from: from, to: to, frames: frames)
        if let hrtf, !hrtf.pointee.isSphere {
            hrtf.pointee.mix(
                objects, axes, rest: (work.objectRows.row(0), work.objectRows.row(1)),
                ears: (work.objectRows.row(4), work.objectRows.row(5)), frames: frames)
            for ear in 0..<2 { Self.add(work.objectRows.row(4 &+ ear), ramp, onto: work.ears.row(ear), frames) }
        } else {
            for ear in 0..<2 {
                Self.add(work.objectRows.row(ear), ramp, onto: work.ears.row(ear), frames)
                Self.add(work.objectRows.row(2 &+ ear), ramp, onto: work.ears.row(ear), frames)
            }
        }
    }

    @_noLocks @_noAllocation
    private static func add(_ row: UnsafePointer<Float>, _ ramp: Ramp, onto ear: UnsafeMutablePointer<Float>, _ frames: Int) {
        var frame = 0
        while frame < frames {
            ear.setLanes(frame, rt_fma16(row.lanes(frame), ramp.lanes(frame), ear.lanes(frame)))
            frame = frame &+ laneCount
        }
    }

    /// Adds the objects with the numbers from `least` to before `end` to two rows, through the sphere.
    @_noLocks @_noAllocation
    private func add(
        _ objects: borrowing PreparedObjects, head: SIMD4<Float>, nose: SIMD2<Float>, front: Float, from least: Int, to end: Int,
        onto rows: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>), frames: Int, work: borrowing RenderWork
    ) {
        let (ahead, across, up) = Ears.directions(head: head, nose: nose, front: front)
        let (left, right) = rows
        let mixes = work.objectMixes
        for i in 0..<objects.activeCount {
            let object = objects.active[i]
            guard object.object >= least, object.object < end else { continue }
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
