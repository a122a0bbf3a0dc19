internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// The outer half of rendering in one value: reads parameters and crossings, and renders the scene, then the listeners.
///
/// Made by the control side and moved into the device; from then on no other thread can access it.
public struct RenderGraph: ~Copyable, Sendable {
    let reader: ParameterReader
    private let parameters: GraphParameters
    private let rate: Float
    let nanosecondsPerSample: Float
    private let period: Int
    /// Whether the graph becomes ready only when it has a recording.
    private let awaitsRecording: Bool
    var changes: ChangeSchedule
    var scene: RecordingScene
    private var direct: DirectSound
    var objects: ObjectInput
    var takes: TakeTaps
    var takeMotion: TakeMotion
    var listeners: WiredListeners
    var senders: BlockSenders
    let work: RenderWork
    var reports: GraphReports

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    ///   - awaitsRecording: whether the graph becomes ready only when it has a recording.
    ///   - takes: taps and motion for takes.
    init(
        store: ParameterStore, rate: Float, period: Int, awaitsRecording: Bool,
        changes: consuming Ring<TimedChange>.Consumer, scene: consuming RecordingScene, direct: consuming DirectSound,
        objects: consuming ObjectInput, takes: TakeConnections, listeners: consuming WiredListeners, senders: consuming BlockSenders,
        reports: consuming GraphReports
    ) {
        reader = store.makeReader()
        parameters = GraphParameters(store)
        self.rate = rate
        nanosecondsPerSample = 1e9 / rate
        self.period = period
        self.awaitsRecording = awaitsRecording
        self.changes = ChangeSchedule(changes)
        self.scene = scene
        self.direct = direct
        self.objects = objects
        self.takes = takes.taken.take()
        takeMotion = takes.motion.take()
        self.listeners = listeners
        self.senders = senders
        work = RenderWork(period: period, rate: rate)
        self.reports = reports
    }
}

extension RenderGraph: BlockRenderer {
    public var wiredListeners: Int { listeners.count }

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
            if part < frames { direct.choose(offset, part, of: frames) }
            var begins = time
            begins.output = output(time, after: offset)
            renderPart(ears.from(offset), frames: part, at: begins, from: offset == 0 ? begin : rt_now())
            offset = offset &+ part
        }
        noteInput(frames, time)
        noteArray(frames, time)
        report(frames)
        reports.engine.outputTime = output(time, after: frames)
        reports.publish(scene, begin: begin, end: rt_now())
    }

    /// Time at which the sample `frames` after a block's first is heard; 0 without a converter.
    @_noLocks @_noAllocation
    private func output(_ time: BlockTime, after frames: Int) -> UInt64 {
        time.output == 0 ? 0 : time.output &+ UInt64(rt_whole(Float(frames) * nanosecondsPerSample))
    }

    /// Renders a block, or a part of one in which nothing changes.
    ///
    /// - Parameter begin: the current time.
    @_noLocks @_noAllocation
    private mutating func renderPart(_ ears: EarRows, frames: Int, at time: BlockTime, from begin: UInt64) {
        let block = Block(frames: frames, rate: rate, tempo: parameters.tempo)
        let (feed, used) = (scene.feed, scene.feedFrames)
        let end = time.output == 0 ? 0 : time.output &+ UInt64(clamping: block.seconds * 1e9)
        let ceiling = parameters.ceiling
        scene.play(
            isPlaying: parameters.state == TransportParameter.playing, isEncoding: objects.scene.encoder.isSounding, block: block)
        let place = place(feed, used, frames)
        let live = prepareInput(block)
        recordScene(frames)
        prepareScene(block)
        for i in 0..<listeners.count {
            let listener = listeners[i]
            let isMoved = listener.pointee.takePose()
            render(listener, i, live, block, place: place, end: end, ceiling: ceiling)
            recordListener(i, frames)
            if isMoved { listeners.note(i, sample: samples, time) }
            guard i < ears.listeners else { continue }
            rt_copy(ears.row(2 &* i), work.ears.row(0), frames)
            rt_copy(ears.row(2 &* i &+ 1), work.ears.row(1), frames)
        }
        share(block, at: time, place: place, end: end, ceiling: ceiling, input: live)
        if listeners.hasStamps { listeners.sendStamps(rendered: time.begin &+ (rt_now() &- begin), to: &reports) }
        reports.advance(frames, listeners: listeners.count)
    }

    /// Renders a listener, at the origin or at its own place.
    @_noLocks @_noAllocation
    private mutating func render(
        _ listener: UnsafeMutablePointer<Listener>, _ i: Int, _ live: InputView?, _ block: Block, place: RenderPlace, end: UInt64,
        ceiling: Float
    ) {
        if let placed = listener.pointee.move(objects.scene.prepared, block) {
            objects.place(placed, number: i &+ 1, block: block)
            listener.pointee.render(
                scene.preparer.prepared, scene.ring, objects.scene.placed.prepared, reader, ceiling: ceiling, input: live,
                block: block, place: place, end: end, work: work)
        } else {
            listener.pointee.render(
                scene.preparer.prepared, scene.ring, objects.scene.prepared, reader, ceiling: ceiling, input: live,
                block: block, place: place, end: end, work: work)
        }
    }

    /// Samples rendered so far.
    var samples: Int64 { @_noLocks @_noAllocation get { reports.engine.samples } }

    /// Sends the block to the workers that render the network listeners.
    @_noLocks @_noAllocation
    private mutating func share(
        _ block: Block, at time: BlockTime, place: RenderPlace, end: UInt64, ceiling: Float, input: InputView?
    ) {
        guard !senders.isEmpty else { return }
        let shared = SharedBlock(
            frames: block.frames, channels: scene.ring?.pointee.channels ?? 0, arrayVersion: scene.arrayVersion,
            arrayChanges: scene.arrayChanges, sample: samples, time: time, end: end, ceiling: ceiling,
            crossover: parameters.crossover, tempo: block.tempo, place: place, hasInput: input != nil,
            objects: objects.scene.prepared.activeCount, shadow: objects.scene.prepared.shadow, air: objects.scene.air,
            room: objects.scene.geometry)
        senders.send(
            shared, samples: scene.samples, input: input, objects: objects.scene.prepared, sources: objects.scene.sources)
    }

    /// The place of the block that the scene was just prepared for.
    ///
    /// - Parameters:
    ///   - feed: number of the feed before.
    ///   - used: frames of that feed that had been used before.
    @_noLocks @_noAllocation
    private mutating func place(_ feed: Int64, _ used: Int64, _ frames: Int) -> RenderPlace {
        if scene.recorded == nil { return RenderPlace(feed: 0, frames: samples) }
        // The crossfade to a new feed has used frames of it already.
        return RenderPlace(feed: scene.feed, frames: scene.feed == feed ? used : max(0, scene.feedFrames &- Int64(frames)))
    }

    @_noLocks @_noAllocation
    public mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64
    ) { direct.take(left, right, frames: frames, from: time) }

    @_noLocks @_noAllocation
    public mutating func take(array: UnsafePointer<Float>, channels: Int, frames: Int, from time: UInt64) {
        scene.take(array, channels: channels, frames: frames, from: time)
    }

    /// Measures the latency from the converter of a live array to the playing one, with the method of the first listener.
    @_noLocks @_noAllocation
    private mutating func noteArray(_ frames: Int, _ time: BlockTime) {
        let captured = scene.captured(frames, at: time.begin, nanosecondsPerSample: nanosecondsPerSample)
        guard captured > 0, time.output > 0 else {
            reports.engine.arrayLatency = 0
            return
        }
        reports.engine.arrayLatency = latency(time, from: captured, listeners[0].pointee.methodLatency)
    }

    /// Measures the latency from the recording converter to the playing one, for the first listener.
    @_noLocks @_noAllocation
    private mutating func noteInput(_ frames: Int, _ time: BlockTime) {
        let captured = direct.takeTime(frames, time, nanosecondsPerSample: nanosecondsPerSample)
        guard captured > 0 else { return }
        reports.engine.inputLatency = latency(time, from: captured, direct.latency &+ listeners[0].pointee.inputLatency)
    }

    /// Nanoseconds from the capture of a block to its output, `late` samples after the output of the rendered block.
    @_noLocks @_noAllocation
    private func latency(_ time: BlockTime, from captured: UInt64, _ late: Int) -> Int64 {
        Int64(truncatingIfNeeded: time.output &- captured) &+ Int64(clamping: Float(late) * nanosecondsPerSample)
    }

    /// Prepares the recording, and the objects that are encoded onto its array, for all listeners.
    @_noLocks @_noAllocation
    private mutating func prepareScene(_ block: Block) {
        scene.choose(isEncoding: objects.scene.encoder.isHeard, block: block)
        if scene.ring != nil { objects.encode(to: scene.samples, frames: block.frames) }
        let needs = listeners.bands(reader, scene.ring, changes: scene.arrayChanges)
        scene.prepare(SceneSettings(crossover: parameters.crossover, needs: needs), block: block)
        if let ring = scene.ring { listeners.follow(changes: scene.arrayChanges, channels: ring.pointee.channels) }
    }

    /// Prepares the live input and the objects; returns the live input that is heard directly, with cues and music.
    @_noLocks @_noAllocation
    private mutating func prepareInput(_ block: Block) -> InputView? {
        let live = direct.prepare(reader, takes: &takes, at: samples, block: block)
        objects.prepare(reader, scene, state: parameters.state, input: live, block: block)
        return direct.mix(objects.direct(live, block: block), reader, block: block)
    }

    /// Sends levels, when they are due, and how often sound was out of range.
    @_noLocks @_noAllocation
    private mutating func report(_ frames: Int) {
        guard reports.isDue(after: frames) else { return }
        for i in 0..<listeners.count {
            let listener = listeners[i]
            listener.pointee.report(scene.preparer.prepared, count: listeners.channels)
        }
        var frame = MicrophoneFrame()
        scene.report(&frame)
        if reports.send(frame) { scene.resetLevels() }
        reports.set(scene.counts, RangePlaces.recording)
        reports.set(direct.inputCounts, RangePlaces.input)
        if let counts = direct.takeCueCounts() { reports.set(counts, RangePlaces.cues) }
        for i in 0..<listeners.count { reports.set(listeners[i].pointee.counts, RangePlaces.listener(i)) }
        for object in 0..<objects.scene.count { reports.set(objects.scene.counts(object), object: object) }
    }

    @_noLocks @_noAllocation
    public mutating func count(xruns: Int) { reports.engine.xruns &+= Int64(xruns) }

    @_noLocks @_noAllocation
    public mutating func count(limited: Int) { reports.engine.limited &+= Int64(limited) }

    public var isReady: Bool { mutating get { !awaitsRecording || scene.isReady(period) } }
    public var isFinished: Bool { scene.hasEnded }
}

/// The parameters that concern the whole renderer.
struct GraphParameters: ~Copyable, Sendable {
    private let reader: ParameterReader
    private let stateIndex: Int
    private let crossoverIndex: Int
    private let ceilingIndex: Int
    private let tempoIndex: Int

    init(_ store: ParameterStore) {
        reader = store.makeReader()
        stateIndex = store.tree.index(TransportParameter.state)
        crossoverIndex = store.tree.index(ArraySetting.crossover)
        ceilingIndex = store.tree.index(ProtectionParameter.ceiling)
        tempoIndex = store.tree.index(MetronomeParameter.tempo)
    }

    /// State of the transport, a constant of `TransportParameter`.
    var state: Int { @_noLocks @_noAllocation get { Int(clamping: reader.target(stateIndex)) } }
    /// Hertz.
    var crossover: Float { @_noLocks @_noAllocation get { reader.target(crossoverIndex) } }
    /// Ceiling of the protecting limiters, dBFS.
    var ceiling: Float { @_noLocks @_noAllocation get { reader.target(ceilingIndex) } }
    /// Beats per minute.
    var tempo: Float { @_noLocks @_noAllocation get { reader.target(tempoIndex) } }
}
