internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// The outer half of rendering in one value: reads parameters and crossings, and renders the scene, then the listeners.
///
/// Made by the control side and moved into the device; from then on no other thread can name it.
public struct RenderGraph: ~Copyable, Sendable {
    let parameters: ParameterReader
    private let rate: Float
    let nanosecondsPerSample: Float
    var changes: ChangeSchedule
    private let period: Int
    private let stateIndex: Int
    private let crossoverIndex: Int
    private let ceilingIndex: Int
    private let tempoIndex: Int
    var scene: RecordingScene
    private var input: LiveInput
    private var looper: LooperPlayer?
    private var cues: CuePlayer?
    private var music: MusicPlayer
    var objects: ObjectInput
    var takes: TakeTaps
    var takeMotion: TakeMotion
    /// Whether the graph is not ready before it has a recording.
    private let awaitsRecording: Bool
    /// Time at which the next input was at its converter, nanoseconds; 0 without input.
    private var inputTime: UInt64 = 0
    /// The array that the listeners were prepared for: its count of changes and its channels.
    private var arrayChanges = 0
    private var channels = 0
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let listeners: UnsafeMutablePointer<Listener>
    let listenerCount: Int
    // SAFETY: as above; stamps of the listeners that have taken a new pose for the present block.
    private nonisolated(unsafe) let moved: UnsafeMutablePointer<LatencyStamp>
    // SAFETY: as above; one for each worker that renders network listeners, and one for the scene that browsers render.
    nonisolated(unsafe) let workers: UnsafeMutablePointer<BlockSender>
    let workerCount: Int
    /// Workers that render network listeners.
    var rendererCount: Int { @_noLocks @_noAllocation get { workerCount &- 1 } }
    let work: RenderWork
    private var endpoints: EngineEndpoints
    private let places: RangePlaces
    private let positionsOwner: CountRow
    private let positions: CountRow.View
    /// State after the part that was rendered last.
    private(set) var engine = EngineFrame()
    private var gauge = LoadGauge()
    private var framesToReport = 0

    /// - Parameters:
    ///   - store: the parameters; its tree has the number of listeners and objects.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    ///   - objects: sounds of the sound objects.
    ///   - room: where they are; nil for a free field.
    ///   - awaitsRecording: whether the graph is not ready before it has a recording.
    ///   - takes: taps and motion for takes.
    ///   - positions: receives the sample count after the last frame of each listener.
    ///   - wired: number of listeners that are rendered here.
    ///   - listener: called once for each of them, in order.
    ///   - worker: called once for each worker that renders network listeners, in order, and then for the scene; not without workers.
    init(
        store: ParameterStore, rate: Float, period: Int, feeds: consuming Handover<SceneFeed>.Realtime,
        edits: consuming Handover<ArrayEdit>.Realtime, input: consuming LiveInput, looper: consuming LooperPlayer?,
        cues: consuming CuePlayer?, music: consuming MusicPlayer,
        objects: consuming Handover<ObjectSound>.Realtime, room: RoomPlan?, awaitsRecording: Bool,
        changes: consuming Ring<TimedChange>.Consumer,
        engine endpoints: consuming EngineEndpoints, takes: TakeConnections, positions: CountRow, wired: Int,
        listener: (Int) -> Listener,
        workers workerCount: Int = 0, worker: (Int) -> BlockSender
    ) {
        parameters = store.makeReader()
        self.rate = rate
        nanosecondsPerSample = 1e9 / rate
        self.period = period
        let tree = store.tree
        stateIndex = tree.index(TransportParameter.state)
        crossoverIndex = tree.index(ArraySetting.crossover)
        ceilingIndex = tree.index(ProtectionParameter.ceiling)
        tempoIndex = tree.index(MetronomeParameter.tempo)
        scene = RecordingScene(feeds: feeds, edits: edits, period: period, rate: rate)
        work = RenderWork(period: period, rate: rate)
        self.input = input
        self.looper = looper
        self.cues = cues
        self.music = music
        self.objects = ObjectInput(sounds: objects, tree: tree, rate: rate, period: period, room: room)
        self.takes = takes.taken.take()
        takeMotion = takes.motion.take()
        self.awaitsRecording = awaitsRecording
        self.changes = ChangeSchedule(changes)
        self.endpoints = endpoints
        positionsOwner = positions
        self.positions = positions.view
        places = RangePlaces(listeners: tree.listeners, objects: tree.objects)
        listenerCount = wired
        listeners = .allocate(capacity: listenerCount)
        moved = .allocate(capacity: listenerCount)
        for i in 0..<listenerCount { (listeners + i).initialize(to: listener(i)) }
        self.workerCount = workerCount
        workers = .allocate(capacity: workerCount)
        for i in 0..<workerCount { (workers + i).initialize(to: worker(i)) }
    }

    deinit {
        listeners.deinitialize(count: listenerCount)
        listeners.deallocate()
        workers.deinitialize(count: workerCount)
        workers.deallocate()
        moved.deallocate()
    }
}

extension RenderGraph: BlockRenderer {
    public var wiredListeners: Int { listenerCount }

    @_noLocks @_noAllocation
    public mutating func render(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime
    ) { render(EarRows(left: left, right: right), frames: frames, at: time) }

    @_noLocks @_noAllocation
    public mutating func render(_ ears: EarRows, frames: Int, at time: BlockTime) {
        let begin = rt_now()
        takes.receive()
        takeMotion.begin()
        changes.receive()
        var offset = 0
        while offset < frames {
            let part = applyDue(at: offset, of: frames, time)
            if part < frames { input.choose(offset, part, of: frames) }
            var begins = time
            if time.output != 0 { begins.output = time.output &+ UInt64(rt_whole(Float(offset) * nanosecondsPerSample)) }
            renderPart(ears.from(offset), frames: part, at: begins, from: offset == 0 ? begin : rt_now())
            offset = offset &+ part
        }
        noteInput(frames, time)
        noteArray(frames, time)
        report(frames)
        gauge.note(begin: begin, end: rt_now())
        engine.outputTime = time.output == 0 ? 0 : time.output &+ UInt64(rt_whole(Float(frames) * nanosecondsPerSample))
        publish()
    }

    /// Renders a block, or a part of one in which nothing changes.
    ///
    /// - Parameter begin: the present time.
    @_noLocks @_noAllocation
    private mutating func renderPart(_ ears: EarRows, frames: Int, at time: BlockTime, from begin: UInt64) {
        let block = Block(frames: frames, rate: rate, tempo: parameters.target(tempoIndex))
        let (feed, used) = (scene.feed, scene.feedFrames)
        let end = time.output == 0 ? 0 : time.output &+ UInt64(clamping: block.seconds * 1e9)
        let ceiling = parameters.target(ceilingIndex)
        prepareScene(block)
        let place = place(feed, used, frames)
        let live = prepareInput(block)
        recordScene(frames)
        var movedCount = 0
        for i in 0..<listenerCount {
            let isMoved = listeners[i].takePose()
            listeners[i].render(
                scene.preparer.prepared, scene.ring, objects.scene.prepared, parameters, ceiling: ceiling, input: live, block: block,
                place: place, end: end,
                work: work)
            recordListener(i, frames)
            if isMoved {
                (moved + movedCount).initialize(to: stamp(i, time))
                movedCount = movedCount &+ 1
            }
            guard i < ears.listeners else { continue }
            rt_copy(ears.row(2 &* i), work.ears.row(0), frames)
            rt_copy(ears.row(2 &* i &+ 1), work.ears.row(1), frames)
        }
        share(block, at: time, place: place, end: end, ceiling: ceiling, input: live)
        if movedCount > 0 { pushStamps(movedCount, rendered: time.begin &+ (rt_now() &- begin)) }
        engine.samples &+= Int64(frames)
        for i in 0..<listenerCount { positions.set(i, Int(engine.samples)) }
    }

    /// Samples rendered so far.
    var samples: Int64 { @_noLocks @_noAllocation get { engine.samples } }
    /// Sends the block to the workers that render the network listeners.
    @_noLocks @_noAllocation
    private mutating func share(
        _ block: Block, at time: BlockTime, place: RenderPlace, end: UInt64, ceiling: Float, input: InputView?
    ) {
        guard workerCount > 0 else { return }
        let shared = SharedBlock(
            frames: block.frames, channels: scene.ring?.pointee.channels ?? 0, arrayVersion: scene.arrayVersion,
            arrayChanges: scene.arrayChanges, sample: engine.samples, time: time, end: end, ceiling: ceiling,
            crossover: parameters.target(crossoverIndex), tempo: block.tempo, place: place, hasInput: input != nil,
            objects: objects.scene.prepared.activeCount, shadow: objects.scene.prepared.shadow)
        for i in 0..<workerCount {
            workers[i].send(shared, samples: scene.samples, input: input, objects: objects.scene.prepared)
        }
    }

    /// The place of the block that the scene was just prepared for.
    ///
    /// - Parameters:
    ///   - feed: number of the feed before.
    ///   - used: frames of that feed that had been used before.
    @_noLocks @_noAllocation
    private mutating func place(_ feed: Int64, _ used: Int64, _ frames: Int) -> RenderPlace {
        if scene.ring == nil { return RenderPlace(feed: 0, frames: engine.samples) }
        // The crossfade to a new feed has used frames of it already.
        return RenderPlace(feed: scene.feed, frames: scene.feed == feed ? used : max(0, scene.feedFrames &- Int64(frames)))
    }

    @_noLocks @_noAllocation
    public mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64
    ) {
        input.take(left, right, frames: frames)
        inputTime = time
    }

    @_noLocks @_noAllocation
    public mutating func take(array: UnsafePointer<Float>, channels: Int, frames: Int, from time: UInt64) {
        scene.take(array, channels: channels, frames: frames, from: time)
    }

    /// Measures the latency from the converter of a live array to the playing one, with the method of the first listener.
    @_noLocks @_noAllocation
    private mutating func noteArray(_ frames: Int, _ time: BlockTime) {
        let captured = scene.captured(frames, at: time.begin, nanosecondsPerSample: nanosecondsPerSample)
        guard captured > 0, time.output > 0 else {
            engine.arrayLatency = 0
            return
        }
        let late = Int64(clamping: Float(listeners[0].methodLatency) * nanosecondsPerSample)
        engine.arrayLatency = Int64(truncatingIfNeeded: time.output &- captured) &+ late
    }

    /// Measures the latency from the recording converter to the playing one, for the first listener.
    @_noLocks @_noAllocation
    private mutating func noteInput(_ frames: Int, _ time: BlockTime) {
        let captured = input.captured(frames, at: time.begin, nanosecondsPerSample: nanosecondsPerSample)
        if captured > 0, time.output > 0 { inputTime = captured }
        guard inputTime > 0 else { return }
        let late = Int64(clamping: Float(input.latency &+ listeners[0].inputLatency) * nanosecondsPerSample)
        engine.inputLatency = Int64(truncatingIfNeeded: time.output &- inputTime) &+ late
        inputTime = 0
    }

    /// Prepares the recording for all listeners.
    @_noLocks @_noAllocation
    private mutating func prepareScene(_ block: Block) {
        var needs = BandSet()
        for i in 0..<listenerCount { needs = needs | listeners[i].bands(parameters, scene.ring, changes: scene.arrayChanges) }
        scene.prepare(
            SceneSettings(crossover: parameters.target(crossoverIndex), needs: needs),
            isPlaying: Int(clamping: parameters.target(stateIndex)) == TransportParameter.playing, block: block)
        guard let ring = scene.ring, scene.arrayChanges != arrayChanges else { return }
        arrayChanges = scene.arrayChanges
        let isSameCount = ring.pointee.channels == channels
        channels = ring.pointee.channels
        for i in 0..<listenerCount { listeners[i].changeArray(isSameCount: isSameCount) }
    }

    /// Prepares the live input and the objects; returns the live input that is heard directly, with cues and music.
    @_noLocks @_noAllocation
    private mutating func prepareInput(_ block: Block) -> InputView? {
        cues?.advance(parameters, frames: block.frames)
        var live = input.prepare(parameters, takes: &takes, at: engine.samples, block: block)
        live = looper?.process(live, parameters, cues: cues, block: block) ?? live
        objects.prepare(parameters, scene, state: Int(clamping: parameters.target(stateIndex)), input: live, block: block)
        live = objects.direct(live, block: block)
        live = cues?.mix(live, frames: block.frames) ?? live
        return music.mix(live, parameters, block)
    }

    /// The time at which a listener's new pose is heard.
    @_noLocks @_noAllocation
    private mutating func stamp(_ listener: Int, _ time: BlockTime) -> LatencyStamp {
        var stamp = listeners[listener].stamp(listener, sample: engine.samples)
        stamp.blockTime = time.begin
        stamp.outputTime = time.output &+ stamp.outputTime
        return stamp
    }

    @_noLocks @_noAllocation
    private mutating func pushStamps(_ count: Int, rendered: UInt64) {
        for i in 0..<count {
            moved[i].renderedTime = rendered
            _ = endpoints.stamps.push(moved[i])
        }
    }

    /// Sends levels 120 times a second, the highest rate that clients may ask for, or with every block when these are longer.
    @_noLocks @_noAllocation
    private mutating func report(_ frames: Int) {
        framesToReport = framesToReport &- frames
        guard framesToReport <= 0 else { return }
        framesToReport = max(framesToReport &+ Int(clamping: rate / 120), 0)
        for i in 0..<listenerCount { listeners[i].report(scene.preparer.prepared, count: channels) }
        var frame = MicrophoneFrame()
        scene.report(&frame)
        if endpoints.microphones.push(frame) { scene.resetLevels() }
        reportCounts()
    }

    /// Writes how often sound out of range was replaced.
    @_noLocks @_noAllocation
    private mutating func reportCounts() {
        report(scene.counts, RangePlaces.recording)
        report(input.counts, RangePlaces.input)
        if let counts = cues?.takeCounts() { report(counts, RangePlaces.cues) }
        for i in 0..<listenerCount { report(listeners[i].counts, RangePlaces.listener(i)) }
        for object in 0..<objects.scene.count { report(objects.scene.counts(object), places.object(object)) }
    }

    @_noLocks @_noAllocation
    private func report(_ counts: RangeCounts, _ place: Int) {
        endpoints.resets.set(place, counts.resets)
        endpoints.nonFinite.set(place, counts.nonFinite)
    }

    @_noLocks @_noAllocation
    private mutating func publish() {
        engine.blocks &+= 1
        engine.busy = gauge.busy
        engine.durations = gauge.durations
        engine.worst = gauge.slowest
        engine.dropouts = scene.dropouts
        engine.feed = scene.feed
        engine.feedFrames = scene.feedFrames
        engine.feedEnded = scene.hasEnded
        endpoints.engine.publish(engine)
    }

    @_noLocks @_noAllocation
    public mutating func count(xruns: Int) { engine.xruns &+= Int64(xruns) }

    @_noLocks @_noAllocation
    public mutating func count(limited: Int) { engine.limited &+= Int64(limited) }

    public var isReady: Bool { mutating get { !awaitsRecording || scene.isReady(period) } }
    public var isFinished: Bool { scene.hasEnded }
}
