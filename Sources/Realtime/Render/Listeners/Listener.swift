internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Connects one listener's renderer with the parameters and with other threads: poses, HRTF filters, levels, sound for
/// the network. As in ``ListenerRenderer``, methods that only read are `mutating`, since a borrowed listener is copied.
struct Listener: ~Copyable, Sendable {
    private var endpoints: ListenerEndpoints
    /// Index of this listener's first parameter.
    private let parameters: Int
    /// Index of the parameter that mutes every listener.
    private let outputMute: Int
    private let protection: Protection
    private let nanosecondsPerSample: Float
    private var renderer: ListenerRenderer
    // SAFETY: in memory that one of the endpoints holds until it takes a newer pose, or in `timedPose`.
    private nonisolated(unsafe) var pose: UnsafePointer<HeadPose>
    // SAFETY: owned by this value alone; holds a pose that was scheduled for a time.
    private nonisolated(unsafe) let timedPose: UnsafeMutablePointer<HeadPose>
    private var prediction = HeadPrediction()
    /// Coordinates of all listeners' places, and this one's first among them.
    private let places: TargetRow.View
    private let placesOwner: TargetRow
    private let placeIndex: Int
    // SAFETY: owned by this value alone, which cannot be copied; apart, so that listeners stay small. Nil without objects.
    private nonisolated(unsafe) let placed: UnsafeMutablePointer<PlacedListener>?
    // SAFETY: as above.
    private nonisolated(unsafe) let racks: UnsafeMutablePointer<RackInlets>
    /// Frames until the racks look for plans again.
    private var untilLook = 0
    private var hrtf: HRTFReceiver
    private var objectHRTF: ObjectHRTFReceiver
    private var comparison: ComparisonReceiver
    /// The head rendered last; w x y z.
    private(set) var head = SIMD4<Float>(1, 0, 0, 0)
    /// Method of the current block.
    private var method = InterpolationMethod.ringSpectral
    private let owner: TargetRow
    /// Gain reduction of the protecting limiter, decibels.
    private let limiting: TargetRow.View
    /// Last: large, and used far less often than the rest.
    private var frame = ListenerFrame()

    /// - Parameters:
    ///   - parameters: index of the listener's first parameter.
    ///   - outputMute: index of the parameter that mutes every listener.
    ///   - limiting: receives the gain reduction of the protecting limiter, decibels.
    ///   - places: coordinates of all listeners' places, three for each, and `index` of this listener among them.
    ///   - placed: the listener's objects at a place of its own; nil without objects.
    init(
        endpoints: consuming ListenerEndpoints, renderer: consuming ListenerRenderer, racks: consuming RackInlets,
        protection: Protection, limiting: TargetRow, places: TargetRow, index: Int, placed: consuming PlacedListener?, parameters: Int,
        outputMute: Int,
        rate: Float
    ) {
        var endpoints = endpoints
        hrtf = HRTFReceiver(endpoints.hrtf.take())
        objectHRTF = ObjectHRTFReceiver(endpoints.objectHRTF.take())
        comparison = endpoints.comparison.take()
        pose = endpoints.networkPoses.view()
        timedPose = .allocate(capacity: 1)
        timedPose.initialize(to: .ahead)
        self.endpoints = endpoints
        self.renderer = renderer
        self.protection = protection
        self.parameters = parameters
        self.outputMute = outputMute
        nanosecondsPerSample = 1e9 / rate
        (placesOwner, self.places, placeIndex) = (places, places.view, 3 * index)
        if let placed {
            self.placed = .allocate(capacity: 1)
            self.placed?.initialize(to: placed)
        } else {
            self.placed = nil
        }
        self.racks = .allocate(capacity: 1)
        self.racks.initialize(to: racks)
        owner = limiting
        self.limiting = limiting.view
    }

    deinit {
        timedPose.deallocate()
        placed?.deinitialize(count: 1)
        placed?.deallocate()
        racks.deinitialize(count: 1)
        racks.deallocate()
    }

    /// Chooses the method, and returns the bands of the scene that it needs in the coming block.
    ///
    /// - Parameters:
    ///   - ring: the array in use; nil without a recording.
    ///   - changes: count of changes of the array.
    @_noLocks @_noAllocation
    mutating func bands(_ reader: borrowing ParameterReader, _ ring: UnsafePointer<RingLookup>?, changes: Int) -> BandSet {
        method = InterpolationMethod(rawValue: Int(clamping: value(reader, .method))) ?? .ringSpectral
        if let compared = comparison.receive() { method = compared }
        if method == .hrtf {
            hrtf.receive()
            if !hrtf.fit(ring, changes: changes) { method = method.standIn }
        }
        return renderer.bands(method)
    }

    /// Prepares for another array.
    @_noLocks @_noAllocation
    mutating func changeArray(isSameCount: Bool) { renderer.changeArray(isSameCount: isSameCount) }

    /// The pose in use.
    var newestPose: UnsafePointer<HeadPose> { @_noLocks @_noAllocation get { pose } }

    /// Takes the newest pose; returns whether it has not been used before.
    @_noLocks @_noAllocation
    mutating func takePose() -> Bool {
        let before = pose.pointee.id
        // Poses of one endpoint arrive in order, so after this call the pose in use is never in a view that was given back. The former pose
        // is not read after a new view was taken: the writer may already be writing there.
        var newest = before
        if endpoints.networkPoses.hasNews { take(endpoints.networkPoses.view(), after: &newest) }
        if endpoints.controlPoses.hasNews { take(endpoints.controlPoses.view(), after: &newest) }
        guard newest != before else { return false }
        prediction.isNew = true
        return true
    }

    @_noLocks @_noAllocation
    private mutating func take(_ coming: UnsafePointer<HeadPose>, after newest: inout UInt64) {
        guard coming.pointee.id > newest else { return }
        (pose, newest) = (coming, coming.pointee.id)
    }

    /// Turns the head to a scheduled pose, which applies until a newer one arrives.
    @_noLocks @_noAllocation
    mutating func turn(_ quaternion: SIMD4<Float>, at time: UInt64) {
        // Keeps the previous id, so that any later pose replaces it.
        timedPose.pointee = HeadPose(quaternion: quaternion, place: pose.pointee.place, id: pose.pointee.id, receiveTime: time)
        pose = UnsafePointer(timedPose)
        prediction.isNew = true
    }

    /// Forgets the sound and the weights of a listener that was absent.
    @_noLocks @_noAllocation
    mutating func begin() {
        renderer.begin()
        objectHRTF.reset()
        placed?.pointee.reset()
    }

    /// Target place of the listener: its own, displaced by the head's in the newest pose; metres in the world.
    var place: SIMD3<Float> {
        @_noLocks @_noAllocation get {
            SIMD3(places[placeIndex], places[placeIndex &+ 1], places[placeIndex &+ 2]) + pose.pointee.place
        }
    }

    /// Moves the listener by a block, after it has taken its pose.
    ///
    /// - Parameter objects: those that are heard at the origin.
    /// - Returns: its objects when they are to be prepared for another place than the origin.
    @_noLocks @_noAllocation
    mutating func move(_ objects: borrowing PreparedObjects, _ block: Block) -> UnsafeMutablePointer<PlacedListener>? {
        guard let placed, placed.pointee.advance(to: place, block: block) else { return nil }
        guard objects.activeCount > 0 else {
            placed.pointee.rest()
            return nil
        }
        return placed
    }

    /// The stamp of the newest pose, without the times of the block: `outputTime` is the latency of the output chain.
    @_noLocks @_noAllocation
    mutating func stamp(_ listener: Int, sample: Int64) -> LatencyStamp {
        let pose = pose.pointee
        let late = UInt64(rt_whole(Float(chainLatency) * nanosecondsPerSample))
        return LatencyStamp(
            listener: Int32(truncatingIfNeeded: listener), senderTime: pose.senderTime, receiveTime: pose.receiveTime,
            interval: pose.interval, blockTime: 0, renderedTime: 0, sample: sample, outputTime: late)
    }

    /// Renders a block into `work.ears`, measures it, and hands it to the network.
    ///
    /// - Parameters:
    ///   - ring: the array; nil without a recording.
    ///   - ceiling: ceiling of the protecting limiter, a factor.
    ///   - input: live input; nil when there is none.
    ///   - place: place of the block in the recording.
    ///   - end: time at which the block's last frame leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 when unknown.
    @_noLocks @_noAllocation
    mutating func render(
        _ scene: borrowing PreparedScene, _ ring: UnsafePointer<RingLookup>?, _ objects: borrowing PreparedObjects,
        _ reader: borrowing ParameterReader, ceiling: Float, input: InputView?, block: Block, place: RenderPlace, end: UInt64,
        work: borrowing RenderWork
    ) {
        if ring != nil || objects.activeCount > 0 || endpoints.recorder.isRecording { turn(to: predictedHead(reader, end)) }
        endpoints.recorder.record(head, self.place, of: pose, at: place, frames: block.frames)
        let isHeard = endpoints.isHeard.isOn
        receivePlans(block.frames)
        let (racks, hasRack) = (racks, renderer.hasRack)
        if hasRack { racks.pointee.load() }
        let usesHRTF = hrtf.isLeaving && renderer.usesHRTF(method)
        let levels = renderer.render(
            scene, ring, objects, settings(reader, ceiling: ceiling), head: head, hrtf: hrtf.view,
            objectHRTF: objectHRTF.next(seconds: block.seconds, frames: block.frames), comparison: comparison.stage, input: input,
            block: block, work: work)
        if hasRack { racks.pointee.report() }
        if ring != nil, hrtf.isLeaving, scene.hasPartitions || !usesHRTF { hrtf.settle() }
        if renderer.isProtected, let reduction = renderer.reduction {
            limiting.raise(0, to: reduction)
            frame.reduction = max(frame.reduction, reduction)
        }
        note(levels, block.frames)
        if isHeard { send(work.ears, block.frames) }
    }

    /// Takes new plans of the racks every 1024 frames.
    @_noLocks @_noAllocation
    private mutating func receivePlans(_ frames: Int) {
        untilLook = untilLook &- frames
        guard untilLook <= 0 else { return }
        untilLook = 1024
        let racks = racks
        renderer.set(racks.pointee.receive())
    }

    /// Sets the rotation of the head; ignores quaternions that are far from length 1.
    @_noLocks @_noAllocation
    private mutating func turn(to coming: SIMD4<Float>) {
        let length = (coming * coming).sum()
        if length > 0.5, length < 2 { head = coming }
    }

    @_noLocks @_noAllocation
    private mutating func isMuted(_ reader: borrowing ParameterReader) -> Bool {
        value(reader, .mute) != 0 || reader.target(outputMute) != 0
    }

    /// Reads this listener's settings for a block.
    @_noLocks @_noAllocation
    private mutating func settings(_ reader: borrowing ParameterReader, ceiling: Float) -> ListenerSettings {
        ListenerSettings(
            method: method, earAzimuth: value(reader, .earAzimuth), front: value(reader, .front),
            fixedMicrophone: Int(clamping: value(reader, .fixedMicrophone)) &- 1,
            gain: isMuted(reader) ? 0 : value(reader, .gain), ceiling: ceiling,
            isProtected: protection.isActive)
    }

    @_noLocks @_noAllocation
    private mutating func value(_ reader: borrowing ParameterReader, _ parameter: ListenerParameter) -> Float {
        reader.target(parameters &+ parameter.rawValue)
    }

    /// Latency of live input in the output chain, samples.
    var inputLatency: Int { @_noLocks @_noAllocation get { renderer.inputLatency } }

    /// Latency of the current method and the output chain, samples.
    var methodLatency: Int { @_noLocks @_noAllocation mutating get { renderer.latency(method) } }

    /// Latency of the output chain for the recording, samples.
    var chainLatency: Int {
        @_noLocks @_noAllocation mutating get { renderer.chainLatency &+ (comparison.stage?.pointee.latency ?? 0) }
    }

    /// The head as in the pose, or predicted to the time at which the block is heard.
    @_noLocks @_noAllocation
    private mutating func predictedHead(_ reader: borrowing ParameterReader, _ end: UInt64) -> SIMD4<Float> {
        let isMeasured = value(reader, .autoPrediction) != 0
        let milliseconds = value(reader, .prediction)
        guard isMeasured || milliseconds > 0 || prediction.isOn else { return pose.pointee.quaternion }
        return prediction.head(
            pose, until: end, isMeasured: isMeasured, more: milliseconds * 0.001, horizon: endpoints.horizon)
    }

    @_noLocks @_noAllocation
    private mutating func note(_ levels: EarLevels, _ frames: Int) {
        let peak = levels.peak
        frame.peak = SIMD2(max(frame.peak[0], peak[0]), max(frame.peak[1], peak[1]))
        frame.energy += levels.energy
        frame.frames = frame.frames &+ Int32(truncatingIfNeeded: frames)
    }

    /// Hands the ears to the network. When the ring is full the block is lost: audio does not wait.
    @_noLocks @_noAllocation
    private mutating func send(_ ears: borrowing Rows, _ frames: Int) {
        _ = endpoints.ears.write(ears.row(0), ears.row(1), frames: frames)
    }

    /// Sends the levels and weights; levels continue to be gathered when the ring is full.
    @_noLocks @_noAllocation
    mutating func report(_ scene: borrowing PreparedScene, count: Int) {
        frame.count = Int32(truncatingIfNeeded: count)
        frame.pose = pose.pointee
        if comparison.stage == nil { describeMethod(scene, count: count) } else { hideMethod() }
        if endpoints.meters.push(frame) {
            frame.peak = .zero
            frame.energy = .zero
            frame.reduction = 0
            frame.frames = 0
        }
    }

    @_noLocks @_noAllocation
    private mutating func describeMethod(_ scene: borrowing PreparedScene, count: Int) {
        // Without a recording no method is in use.
        frame.latency = Int32(truncatingIfNeeded: count > 0 ? renderer.latency(method) : chainLatency)
        if renderer.hasMethod {
            if let crossover = renderer.crossover { frame.crossover = scene.frequency(crossover) } else { frame.crossover = 0 }
        }
        gatherWeights(count: count)
    }

    /// Reports nothing that reveals which condition of a listening test plays.
    @_noLocks @_noAllocation
    private mutating func hideMethod() {
        frame.latency = Int32(truncatingIfNeeded: chainLatency)
        frame.crossover = 0
        var lows = frame.low.mutableSpan
        var highs = frame.high.mutableSpan
        for place in 0..<lows.count {
            lows[place] = 0
            highs[place] = 0
        }
    }

    /// Number of times that sound out of range was replaced.
    var counts: RangeCounts { @_noLocks @_noAllocation mutating get { renderer.counts } }

    @_noLocks @_noAllocation
    private mutating func gatherWeights(count: Int) {
        var lows = frame.low.mutableSpan
        var highs = frame.high.mutableSpan
        renderer.weights(&lows, &highs, count: count)
    }
}
