internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters

/// Everything the audio callback touches, in one value that exists once: the scene, then the listeners.
///
/// Built by the control side, moved into the device; from then on no other thread can name it.
public struct RenderGraph: ~Copyable, Sendable {
    let parameters: ParameterReader
    private let rate: Float
    let nanosecondsPerSample: Float
    var changes: ChangeSchedule
    private let period: Int
    private let stateSlot: Int
    private var scene: Scene
    private var input: LiveInput
    private var cues: CuePlayer?
    private var objects: ObjectScene
    /// Whether sound that is still being read is waited for.
    private let awaitsRecording: Bool
    /// When the input that is heard next was at its converter, nanoseconds; 0 when there is none.
    private var inputTime: UInt64 = 0
    private let crossoverSlot: Int
    private let ceilingSlot: Int
    private let tempoSlot: Int
    /// What the listeners know of the array.
    private var arrayChanges = 0
    private var channels = 0
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let listeners: UnsafeMutablePointer<Listener>
    let listenerCount: Int
    // SAFETY: as above; the listeners that have taken a new pose for the present block.
    private nonisolated(unsafe) let moved: UnsafeMutablePointer<LatencyStamp>
    private let work: MixWork
    private var ends: EngineEnds
    private var engine = EngineFrame()
    private var gauge = LoadGauge()
    private var framesToReport = 0

    /// - Parameters:
    ///   - store: the parameters; its tree says how many listeners there are.
    ///   - rate: frames per second.
    ///   - period: the largest block, frames.
    ///   - objects: what the sound objects are to sound.
    ///   - awaitsRecording: whether it is not ready before there is a recording.
    ///   - listener, chain: called once per listener, in order.
    init(
        store: ParameterStore, rate: Float, period: Int, feeds: consuming Handover<SceneFeed>.Realtime,
        edits: consuming Handover<ArrayEdit>.Realtime, input: consuming LiveInput, cues: consuming CuePlayer?,
        objects: consuming Handover<ObjectSound>.Realtime, awaitsRecording: Bool, changes: consuming Ring<TimedChange>.Consumer,
        engine ends: consuming EngineEnds, chain: (Int) -> OutputChain,
        listener: (Int) -> ListenerEnds
    ) {
        parameters = store.makeReader()
        self.rate = rate
        nanosecondsPerSample = 1e9 / rate
        self.period = period
        let tree = store.tree
        stateSlot = tree.slot(TransportParameter.state)
        crossoverSlot = tree.slot(ArraySetting.crossover)
        ceilingSlot = tree.slot(ProtectionParameter.ceiling)
        tempoSlot = tree.slot(MetronomeParameter.tempo)
        scene = Scene(feeds: feeds, edits: edits, period: period, rate: rate)
        work = MixWork(frame: SpectralFrame(rate: rate), period: period)
        self.input = input
        self.cues = cues
        self.objects = ObjectScene(sounds: objects, tree: tree, rate: rate, period: period)
        self.awaitsRecording = awaitsRecording
        self.changes = ChangeSchedule(changes)
        self.ends = ends
        listenerCount = tree.listeners
        listeners = .allocate(capacity: listenerCount)
        moved = .allocate(capacity: listenerCount)
        for i in 0..<listenerCount {
            let slots = tree.slot(ListenerParameter.ypr, i)
            (listeners + i).initialize(
                to: Listener(ends: listener(i), chain: chain(i), slots: slots, objects: tree.objects, period: period, rate: rate))
        }
    }

    deinit {
        listeners.deinitialize(count: listenerCount)
        listeners.deallocate()
        moved.deallocate()
    }
}

extension RenderGraph: BlockRenderer {
    @_noLocks @_noAllocation
    public mutating func render(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime
    ) {
        let begin = rt_now()
        changes.receive()
        var offset = 0
        while offset < frames {
            let part = applyDue(at: offset, of: frames, time)
            if part < frames { input.choose(offset, part, of: frames) }
            var begins = time
            if time.output != 0 { begins.output = time.output &+ UInt64(rt_whole(Float(offset) * nanosecondsPerSample)) }
            renderPart(
                left: left + offset, right: right + offset, frames: part, at: begins, from: offset == 0 ? begin : rt_now())
            offset = offset &+ part
        }
        noteInput(time)
        report(frames)
        gauge.note(begin: begin, end: rt_now())
        publish()
    }

    /// A block, or a part of one in which nothing changes.
    ///
    /// - Parameter begin: now.
    @_noLocks @_noAllocation
    private mutating func renderPart(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime,
        from begin: UInt64
    ) {
        let block = Block(
            frames: frames, rate: rate, tempo: parameters.target(tempoSlot), output: time.output, position: scene.feedFrames)
        prepareScene(block)
        var live = input.prepare(parameters, block: block)
        objects.prepare(parameters, scene: scene, state: Int(parameters.target(stateSlot)), input: live, block: block)
        live = objects.direct(live, block: block)
        live = cues?.mix(live, parameters, frames: frames) ?? live
        var movedCount = 0
        for i in 0..<listenerCount {
            let isMoved = listeners[i].takePose()
            if let ring = scene.ring {
                listeners[i].render(scene.prepared, ring.pointee, parameters, block: block, work: work)
            } else {
                listeners[i].rest(block, work: work)
            }
            if objects.heardCount > 0 {
                listeners[i].hear(objects, parameters, isResting: scene.ring == nil, block: block, work: work)
            }
            listeners[i].finish(
                parameters, input: live, ceiling: parameters.target(ceilingSlot), block: block, work: work)
            if isMoved {
                (moved + movedCount).initialize(to: stamp(i, time))
                movedCount = movedCount &+ 1
            }
            guard i == 0 else { continue }
            rt_copy(left, work.ears.row(0), frames)
            rt_copy(right, work.ears.row(1), frames)
        }
        if movedCount > 0 { pushStamps(movedCount, rendered: time.begin &+ (rt_now() &- begin)) }
        engine.samples &+= Int64(frames)
    }

    @_noLocks @_noAllocation
    public mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64
    ) {
        input.take(left, right, frames: frames)
        inputTime = time
    }

    /// Measures the way from the recording converter to the playing one, as the first listener hears it.
    @_noLocks @_noAllocation
    private mutating func noteInput(_ time: BlockTime) {
        guard inputTime > 0 else { return }
        let late = Int64(Float(input.latency &+ listeners[0].inputLatency) * nanosecondsPerSample)
        engine.inputLatency = Int64(truncatingIfNeeded: time.output &- inputTime) &+ late
        inputTime = 0
    }

    @_noLocks @_noAllocation
    private mutating func prepareScene(_ block: Block) {
        var needs = BandSet()
        for i in 0..<listenerCount { needs = needs | listeners[i].bands(parameters, scene.ring, changes: scene.arrayChanges) }
        let isPlaying = parameters.target(stateSlot) == 1
        let crossover = parameters.target(crossoverSlot)
        scene.prepare(block: block, isPlaying: isPlaying, crossover: crossover, needs: needs)
        guard let ring = scene.ring, scene.arrayChanges != arrayChanges else { return }
        arrayChanges = scene.arrayChanges
        let isSameCount = ring.pointee.channels == channels
        channels = ring.pointee.channels
        for i in 0..<listenerCount { listeners[i].meetArray(isSameCount: isSameCount) }
    }

    /// When the new pose of a listener is heard.
    @_noLocks @_noAllocation
    private mutating func stamp(_ listener: Int, _ time: BlockTime) -> LatencyStamp {
        let pose = listeners[listener].newestPose.pointee
        let late = UInt64(rt_whole(Float(listeners[listener].chainLatency) * nanosecondsPerSample))
        return LatencyStamp(
            pose: pose.id, listener: Int32(truncatingIfNeeded: listener), senderTime: pose.senderTime,
            receiveTime: pose.receiveTime, interval: pose.interval, blockTime: time.begin, renderedTime: 0,
            sample: engine.samples, outputTime: time.output &+ late)
    }

    @_noLocks @_noAllocation
    private mutating func pushStamps(_ count: Int, rendered: UInt64) {
        for i in 0..<count {
            moved[i].renderedTime = rendered
            _ = ends.stamps.push(moved[i])
        }
    }

    /// Sends levels as often as anybody may ask for them, 120 times a second, or with every block when these are longer.
    @_noLocks @_noAllocation
    private mutating func report(_ frames: Int) {
        framesToReport = framesToReport &- frames
        guard framesToReport <= 0 else { return }
        framesToReport = max(framesToReport &+ Int(rate / 120), 0)
        for i in 0..<listenerCount { listeners[i].report(scene.prepared, count: channels) }
        var frame = MicrophoneFrame()
        scene.report(&frame)
        if ends.microphones.push(frame) { scene.resetLevels() }
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
        ends.engine.publish(engine)
    }

    @_noLocks @_noAllocation
    public mutating func count(xruns: Int) { engine.xruns &+= Int64(xruns) }

    public var isReady: Bool { mutating get { !awaitsRecording || scene.isReady(period) } }
    public var isFinished: Bool { scene.hasEnded }
}
