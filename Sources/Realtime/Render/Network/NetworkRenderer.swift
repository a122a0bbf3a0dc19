internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Renders the network listeners of one worker from the blocks that the audio thread sends.
///
/// The bands, the spectra and the low-passed objects that all its listeners share are made once for each block, as on the audio thread; the
/// listeners run the same code. Made by the control side and moved to the worker's thread.
public struct NetworkRenderer: ~Copyable, Sendable {
    private var pieces: BufferRing.Consumer
    private let layout: SharedBlockLayout
    private var arrays: ArrayQueue
    /// The array that objects are encoded onto without a recording.
    private let standard: ArrayEdit
    private var listeners: WorkerListeners
    private var takes: TakeTaps
    private var takeMotion: TakeMotion
    private let parameters: ParameterReader
    private var reports: WorkerReports
    private let rate: Float
    private var scene: PreparedScene
    private var objects: PreparedObjects
    private var sources: ObjectSources
    private var propagation: Propagation
    /// The objects as the last listener that is not at the origin hears them.
    private var placed: PlacedScene
    private var joined: JoinedBlocks
    private let work: RenderWork
    // SAFETY: owned by this value alone, which cannot be copied; stamps of the listeners that have taken a new pose for the current block.
    private nonisolated(unsafe) let moved: UnsafeMutablePointer<LatencyStamp>

    init(
        _ ends: consuming NetworkEnds, layout: SharedBlockLayout, worker: Int, parameters: consuming ParameterReader, objects count: Int,
        capacity: Int, rate: Float, period: Int
    ) {
        pieces = ends.pieces
        arrays = ArrayQueue(ends.arrays)
        standard = ArrayEdit(RingLookup(ArrayEdit.standard, rate: rate), version: ArrayEdit.standardVersion)
        listeners = WorkerListeners(ends.listeners, poses: ends.poses, capacity: capacity)
        takes = ends.takes
        takeMotion = ends.takeMotion
        reports = WorkerReports(
            worker, stamps: ends.stamps, counts: ends.reports, positions: ends.positions, resets: ends.resets, nonFinite: ends.nonFinite,
            rate: rate)
        self.layout = layout
        self.parameters = parameters
        self.rate = rate
        joined = JoinedBlocks(period: period)
        scene = PreparedScene(period: period, rate: rate)
        objects = PreparedObjects(
            count: count, shadow: SphereShadow(radius: Float(MicrophoneArray.standardRadius), rate: rate), rate: rate, period: period)
        sources = ObjectSources(count: count, rate: rate, period: period)
        propagation = Propagation(rate: rate)
        placed = PlacedScene(objects: count, rate: rate, period: period)
        work = RenderWork(period: period, rate: rate)
        moved = .allocate(capacity: capacity)
    }

    deinit { moved.deallocate() }

    /// Renders every block that has arrived, joined by hops.
    ///
    /// - Parameter hop: number of blocks that arrive between two calls, at most ``NetworkConnections/hop``. When far more wait, the oldest
    ///   are left out.
    @_noLocks @_noAllocation
    public mutating func render(hop: Int) {
        listeners.receive()
        takes.receive()
        let waiting = pieces.available
        if waiting > max(pieces.capacity / 2, hop &+ 1) {
            pieces.release(waiting &- hop)
            reports.note(lost: waiting &- hop)
        }
        var remaining = pieces.available
        guard remaining > 0 else { return arrays.skip() }
        let (begin, arrived) = (rt_now(), remaining)
        while remaining > 0 {
            let count = join(min(remaining, hop))
            render()
            pieces.release(count)
            remaining = remaining &- count
        }
        reports.note(blocks: arrived, nanoseconds: rt_now() &- begin)
    }

    /// Joins the oldest blocks, as long as nothing changes between them.
    ///
    /// - Parameter most: number of available blocks.
    /// - Returns: the number of blocks.
    @_noLocks @_noAllocation
    private mutating func join(_ most: Int) -> Int {
        joined.begin(pieces.oldest, layout, &objects, &sources)
        if let begin = joined.shared { listeners.turn(until: begin.sample) }
        let limit = listeners.nextTurn
        var count = 1
        while count < most, joined.add(pieces.piece(count), layout, &objects, &sources, before: limit) { count = count &+ 1 }
        joined.finish(objects, &sources)
        return count
    }

    @_noLocks @_noAllocation
    private mutating func render() {
        guard let shared = joined.shared else { return }
        let begin = rt_now()
        let block = Block(frames: shared.frames, rate: rate, tempo: shared.tempo)
        let ring = ring(of: shared)
        prepare(shared, ring, block)
        takeMotion.begin()
        let input = joined.live
        var movedCount = 0
        for i in 0..<listeners.count where listeners[i].pointee.isPresent {
            let isMoved = render(i, shared, ring, input, block)
            if isMoved {
                let place = listeners[i]
                (moved + movedCount).initialize(to: place.pointee.listener.stamp(place.pointee.index, sample: shared.sample))
                movedCount = movedCount &+ 1
            }
        }
        if movedCount > 0 { pushStamps(movedCount, begin: begin, shared) }
        report(shared.frames, channels: ring == nil ? 0 : shared.channels)
    }

    /// The array of a block; nil without one.
    @_noLocks @_noAllocation
    private mutating func ring(of shared: SharedBlock) -> UnsafePointer<RingLookup>? {
        guard shared.channels > 0 else { return nil }
        if shared.arrayVersion == standard.version { return UnsafePointer(standard.ring) }
        return arrays.array(shared.arrayVersion, channels: shared.channels)
    }

    /// Prepares what the listeners of this worker share.
    @_noLocks @_noAllocation
    private mutating func prepare(
        _ shared: SharedBlock, _ ring: UnsafePointer<RingLookup>?, _ block: Block
    ) {
        var needs = BandSet()
        for i in 0..<listeners.count where listeners[i].pointee.isPresent {
            let place = listeners[i]
            if ring != nil { place.pointee.follow(changes: shared.arrayChanges, channels: shared.channels) }
            needs = needs | place.pointee.listener.bands(parameters, ring, changes: shared.arrayChanges)
        }
        propagation.set(temperature: shared.air[0], humidity: shared.air[1])
        scene.advance(shared.frames)
        if let ring {
            scene.fill(
                joined.samples, ring.pointee, SceneSettings(crossover: shared.crossover, needs: needs), block: block,
                changes: shared.arrayChanges)
        }
    }

    /// - Returns: whether the listener has taken a new pose.
    @_noLocks @_noAllocation
    private mutating func render(
        _ i: Int, _ shared: SharedBlock, _ ring: UnsafePointer<RingLookup>?, _ input: InputView?, _ block: Block
    ) -> Bool {
        let place = listeners[i]
        let isMoved = place.pointee.listener.takePose()
        if let own = place.pointee.listener.move(objects, block) {
            placed.place(own, objects, sources, room: shared.room, propagation, block: block)
            place.pointee.listener.render(
                scene, ring, placed.prepared, parameters, ceiling: shared.ceiling, input: input, block: block, place: shared.place,
                end: shared.end, work: work)
        } else {
            place.pointee.listener.render(
                scene, ring, objects, parameters, ceiling: shared.ceiling, input: input, block: block, place: shared.place,
                end: shared.end, work: work)
        }
        if !takes.isEmpty { record(place, shared) }
        reports.set(place.pointee.index, position: Int(shared.sample) &+ shared.frames)
        return isMoved
    }

    /// Copies a listener's ears for takes, and notes the head that they were rendered for.
    @_noLocks @_noAllocation
    private mutating func record(_ listener: UnsafeMutablePointer<NetworkListener>, _ shared: SharedBlock) {
        let index = listener.pointee.index
        let place = TakeSource.ears(index).place
        guard takes.contains(place) else { return }
        takeMotion.note(
            index, listener.pointee.listener.head, listener.pointee.listener.place, of: listener.pointee.listener.newestPose,
            at: shared.sample)
        takes.write(place, work.ears.row(0), work.ears.row(1), frames: shared.frames, at: shared.sample)
    }

    /// Completes the stamps of poses: the sound of a network listener is out when it is handed to the network, or when the sound
    /// device plays the same block, whichever is later.
    @_noLocks @_noAllocation
    private mutating func pushStamps(_ count: Int, begin: UInt64, _ shared: SharedBlock) {
        let rendered = rt_now()
        for i in 0..<count {
            moved[i].blockTime = begin
            moved[i].renderedTime = rendered
            moved[i].outputTime = max(rendered, shared.time.output) &+ moved[i].outputTime
            reports.send(moved[i])
        }
    }

    /// Sends levels 120 times a second, or with every block when these are longer.
    @_noLocks @_noAllocation
    private mutating func report(_ frames: Int, channels: Int) {
        guard reports.isDue(after: frames) else { return }
        for i in 0..<listeners.count where listeners[i].pointee.isPresent {
            let place = listeners[i]
            place.pointee.listener.report(scene, count: channels)
            reports.set(place.pointee.index, place.pointee.listener.counts)
        }
    }
}

/// The arrays that were sent to a worker, in the order of their versions.
struct ArrayQueue: ~Copyable, Sendable {
    private var arriving: Handover<ArrayEdit>.Realtime
    // SAFETY: lent by the handover; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<ArrayEdit>?
    // SAFETY: as above. Arrived, but no block has used it yet.
    private nonisolated(unsafe) var next: UnsafeMutablePointer<ArrayEdit>?

    init(_ arriving: consuming Handover<ArrayEdit>.Realtime) { self.arriving = arriving }

    // SAFETY: a renderer ends on the control side, which may free what is left.
    deinit {
        for array in [current, next] {
            array?.deinitialize(count: 1)
            array?.deallocate()
        }
    }

    /// Makes room for later arrays while no blocks come: keeps the newest besides the one in use.
    @_noLocks @_noAllocation
    mutating func skip() {
        while let coming = arriving.receive() {
            if let old = next { arriving.giveBack(old) }
            next = coming
        }
    }

    /// The array of a version, which is never lower than that of the call before; nil when it has not arrived.
    @_noLocks @_noAllocation
    mutating func array(_ version: Int64, channels: Int) -> UnsafePointer<RingLookup>? {
        while true {
            if next == nil { next = arriving.receive() }
            guard let coming = next, coming.pointee.version <= version else { break }
            if let old = current { arriving.giveBack(old) }
            current = coming
            next = nil
        }
        guard let current, current.pointee.version == version, current.pointee.ring.pointee.channels == channels else { return nil }
        return UnsafePointer(current.pointee.ring)
    }
}
