public import Binaural
internal import CRealtime
internal import DSP

/// One listener's two ears for sound objects through measured filters: an ``HRTFTable`` and the objects' past.
///
/// Each ear reads an object's sound through a delay that moves continuously. Partitions of it are transformed, and the products with the
/// filters of all objects are summed before the transform back, twice if an object has moved: with the filters of a partition's beginning,
/// and with those of its end, which the sum is crossfaded to. Reflections and sound from all around keep the sphere, equally late.
/// Made by the control side, handed over to the audio thread and back to be freed.
public struct ObjectHRTF: ~Copyable, Sendable {
    /// Kept while the view is in use.
    private let table: HRTFTable?
    private let view: HRTFTableView?
    private let count: Int
    private let part: Int
    private let plane: Int
    /// Delay of sound at the head's centre, samples.
    private let latency: Float
    private let transform: FourierTransform
    private let delay = RampedDelay()
    /// Two partitions of each object and ear.
    private let inputs: Rows
    private let left: FrameOverlap
    private let right: FrameOverlap
    private var restLeft: LaneRing
    private var restRight: LaneRing
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let states: UnsafeMutablePointer<ObjectHRTFState>
    // SAFETY: as above. Spectra of the two latest partitions of each object and ear.
    private nonisolated(unsafe) let spectra: UnsafeMutablePointer<Float>
    // SAFETY: as above. Two filters of each object and ear: the current one, and room for the next.
    private nonisolated(unsafe) let filters: UnsafeMutablePointer<Float>
    // SAFETY: as above. Sums of each ear: of objects at rest, and of the others with the filters of a partition's beginning and of its end.
    private nonisolated(unsafe) let sums: UnsafeMutablePointer<Float>
    // SAFETY: as above. A spectrum, real, imaginary, real…
    private nonisolated(unsafe) let spectrum: UnsafeMutablePointer<Float>
    // SAFETY: as above. Two partitions, and two more for the second sum.
    private nonisolated(unsafe) let time: UnsafeMutablePointer<Float>
    private var hops: HopGrid
    /// Samples of the current partition that have been read.
    private var filled = 0
    /// Index of the newer of the two spectra.
    private var newest = 0

    /// - Parameters:
    ///   - table: nil for the rigid sphere.
    ///   - objects: number of sound objects.
    ///   - period: largest block, frames.
    ///   - rate: frames per second.
    public init(_ table: HRTFTable?, objects: Int, period: Int, rate: Float) {
        let frame = HRTFFrame(rate: rate)
        let count = table == nil ? 0 : objects
        self.table = table
        view = table?.view
        self.count = count
        (part, plane) = (frame.part, frame.plane)
        latency = Float(frame.part) + HRTFTable.latency(rate: rate)
        transform = FourierTransform(count: 2 * frame.part)
        inputs = Rows(rows: 2 * count, length: 2 * frame.part)
        left = FrameOverlap(length: frame.part, period: period)
        right = FrameOverlap(length: frame.part, period: period)
        let longest = Int(clamping: latency) + period + laneCount
        restLeft = LaneRing(longest: longest)
        restRight = LaneRing(longest: longest)
        states = .allocate(capacity: count)
        states.initialize(repeating: ObjectHRTFState(), count: count)
        spectra = .allocateAligned(count * 2 * 2 * 2 * frame.plane)
        filters = .allocateAligned(count * 2 * 2 * 2 * HRTFFrame.objectParts * frame.plane)
        sums = .allocateAligned(2 * 3 * 2 * frame.plane)
        spectrum = .allocateAligned(2 * frame.plane)
        time = .allocateAligned(4 * frame.part)
        hops = HopGrid(hop: frame.part)
    }

    /// Latency of the sound of objects, samples: a partition is heard after its last sample has arrived, at the ear that it reaches first
    /// after the shortest delay.
    public static func latency(rate: Float) -> Int { HRTFFrame(rate: rate).part + RampedDelay.least }

    deinit {
        states.deallocate()
        spectra.deallocate()
        filters.deallocate()
        sums.deallocate()
        spectrum.deallocate()
        time.deallocate()
    }

    /// Whether the ears are the sphere's.
    package var isSphere: Bool { @_noLocks @_noAllocation get { view == nil } }

    /// Forgets the sound of the past.
    @_noLocks @_noAllocation
    package mutating func reset() {
        for object in 0..<count { states[object].isKnown = false }
        left.clear()
        right.clear()
    }

    /// Writes the sum of all objects of a block.
    ///
    /// - Parameters:
    ///   - rest: both ears' sound that does not come from an object directly, through the sphere.
    ///   - ears: receives both ears.
    @_noLocks @_noAllocation
    mutating func mix(
        _ objects: borrowing PreparedObjects, _ axes: HeadAxes,
        rest: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>),
        ears: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>), frames: Int
    ) {
        guard let view else { return }
        hops.advance(frames)
        var begin = 0
        for hop in 0...hops.count {
            let end = hop < hops.count ? hops.place(hop) : frames
            if end > begin { read(objects, axes, view, from: begin, to: end, of: frames) }
            if hop < hops.count { filter(objects, view, at: end) }
            begin = end
        }
        for i in 0..<objects.activeCount where objects.active[i].object < count {
            states[objects.active[i].object].direction = axes.direction(objects.active[i].direction)
        }
        let late = Int(clamping: latency - objects.shadow.delay(cosine: .zero)[0])
        restLeft.write(rest.left, frames: frames)
        restRight.write(rest.right, frames: frames)
        var frame = 0
        while frame < frames {
            let place = late &+ frames &- frame
            ears.left.setLanes(frame, left.row.lanes(frame) + restLeft.read(place))
            ears.right.setLanes(frame, right.row.lanes(frame) + restRight.read(place))
            frame = frame &+ laneCount
        }
        left.advance(frames)
        right.advance(frames)
    }

    /// Reads a part of the block through the delays.
    @_noLocks @_noAllocation
    private mutating func read(
        _ objects: borrowing PreparedObjects, _ axes: HeadAxes, _ view: HRTFTableView, from begin: Int, to end: Int, of frames: Int
    ) {
        let share = Float(end) / Float(frames)
        for i in 0..<objects.activeCount where objects.active[i].object < count {
            let object = objects.active[i]
            let state = states + object.object
            let now = axes.direction(object.direction)
            let isNew = !state.pointee.isKnown || (object.isFresh && begin == 0)
            if isNew { start(object.object, now) }
            let before = state.pointee.direction
            if isNew || before != now { state.pointee.place = view.place(before + (now - before) * share) }
            let target = view.delays(state.pointee.place)
            if isNew { state.pointee.delays = target }
            let row = objects.row(object.object, 0) + begin
            for ear in 0..<2 {
                state.pointee.delays[ear] = delay.read(
                    row, inputs.row(2 &* object.object &+ ear) + (part &+ filled), frames: end &- begin, from: state.pointee.delays[ear],
                    to: target[ear])
            }
        }
        filled = filled &+ end &- begin
    }

    /// Starts an object from silence.
    @_noLocks @_noAllocation
    private func start(_ object: Int, _ direction: SIMD3<Float>) {
        states[object] = ObjectHRTFState()
        states[object].isKnown = true
        states[object].direction = direction
        rt_zero(inputs.row(2 &* object), 2 &* part)
        rt_zero(inputs.row(2 &* object &+ 1), 2 &* part)
        rt_zero(spectra + object &* 8 &* plane, 8 &* plane)
    }

    /// Filters the partition that is full, to be heard from `place` on.
    @_noLocks @_noAllocation
    private mutating func filter(_ objects: borrowing PreparedObjects, _ view: HRTFTableView, at place: Int) {
        rt_zero(sums, 12 &* plane)
        newest = 1 &- newest
        filled = 0
        var isMoving = false
        for i in 0..<objects.activeCount where objects.active[i].object < count {
            let object = objects.active[i].object
            guard states[object].isKnown else { continue }
            if move(object, view) { isMoving = true }
        }
        finish(0, left.frame(place), isMoving: isMoving)
        finish(1, right.frame(place), isMoving: isMoving)
    }

    /// Adds an object's partition to the sums.
    /// - Returns: whether its filters change.
    @_noLocks @_noAllocation
    private func move(_ object: Int, _ view: HRTFTableView) -> Bool {
        let state = states + object
        let (old, length) = (state.pointee.present, view.length)
        let isMoving = old >= 0 && !state.pointee.filtered.isSame(state.pointee.place)
        let isNew = old < 0 || isMoving
        if isNew {
            state.pointee.present = old == 0 ? 1 : 0
            state.pointee.filtered = state.pointee.place
        }
        for ear in 0..<2 {
            let (row, pair) = (inputs.row(2 &* object &+ ear), 2 &* object &+ ear)
            rt_copy(time, row, 2 &* part)
            transform.forward(time, into: spectrum)
            rt_copy(row, row + part, part)
            let (latest, before) = (
                spectra + (2 &* pair &+ newest) &* 2 &* plane, spectra + (2 &* pair &+ 1 &- newest) &* 2 &* plane
            )
            SpectrumProduct.separate(spectrum, latest, plane: plane)
            let filter = filters + (2 &* pair &+ state.pointee.present) &* length
            if isNew { view.filter(state.pointee.place, ear: ear, into: filter) }
            let sum = sums + ear &* 6 &* plane
            guard isMoving else {
                SpectrumProduct.add(latest, before, filter, plane: plane, onto: sum)
                continue
            }
            SpectrumProduct.add(latest, before, filters + (2 &* pair &+ old) &* length, plane: plane, onto: sum + 2 &* plane)
            SpectrumProduct.add(latest, before, filter, plane: plane, onto: sum + 4 &* plane)
        }
        return isMoving
    }

    /// Adds one ear's partition, transformed back.
    @_noLocks @_noAllocation
    private func finish(_ ear: Int, _ samples: UnsafeMutablePointer<Float>, isMoving: Bool) {
        let sum = sums + ear &* 6 &* plane
        guard isMoving else {
            inverse(sum, into: time)
            return RampedSum.add(time + part, from: 1, to: 1, frames: part, onto: samples)
        }
        let (begin, end) = (sum + 2 &* plane, sum + 4 &* plane)
        var bin = 0
        while bin < 2 &* plane {
            begin.setLanes(bin, begin.lanes(bin) + sum.lanes(bin))
            end.setLanes(bin, end.lanes(bin) + sum.lanes(bin))
            bin = bin &+ laneCount
        }
        inverse(begin, into: time)
        inverse(end, into: time + 2 &* part)
        RampedSum.add(time + part, from: 1, to: 0, frames: part, onto: samples)
        RampedSum.add(time + 3 &* part, from: 0, to: 1, frames: part, onto: samples)
    }

    @_noLocks @_noAllocation
    private func inverse(_ sum: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
        SpectrumProduct.join(sum, spectrum, plane: plane)
        transform.inverse(spectrum, into: samples)
    }
}
