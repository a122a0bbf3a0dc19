internal import Binaural
internal import CRealtime
internal import Crossing
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Connects the sound objects with the parameters and with the thread that brings their sounds.
struct ObjectInput: ~Copyable, Sendable {
    /// The objects as listeners are rendered from them.
    private(set) var scene: ObjectScene
    private var sounds: Handover<ObjectSound>.Realtime
    private var lives: LiveSounds
    private var rooms: Handover<RoomScene>.Realtime
    private var parts: Handover<ObjectPart>.Realtime
    private var trajectories: Handover<ObjectTrajectory>.Realtime
    private let presence: SwitchRow
    private let clock: CountRow
    private let time: CountRow.View
    private let present: SwitchRow.View
    /// Index of the first object's first parameter.
    private let parameters: Int
    private let stride: Int
    private let groupStride = ObjectGroupParameter.allCases.count
    /// Index of the air's first parameter.
    private let air: Int
    /// Index of the room's first parameter.
    private let room: Int
    /// Index of the first group's first parameter.
    private let groups: Int
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied. The path of each object that has one; held until it is given back.
    private nonisolated(unsafe) let paths: UnsafeMutablePointer<UnsafeMutablePointer<ObjectTrajectory>?>
    // SAFETY: as above. One per object.
    private nonisolated(unsafe) let settings: UnsafeMutablePointer<ObjectSettings>

    /// - Parameters:
    ///   - parts: memory of added objects.
    ///   - trajectories: paths of objects; an empty one removes an object's path.
    ///   - clock: receives the place in the sounds, frames.
    ///   - presence: which objects are present.
    ///   - tree: its number of objects is that of the scene.
    ///   - room: room of the first block; nil for a free field.
    ///   - listeners: number of listeners on this thread.
    ///   - isShared: whether other threads receive the objects.
    init(
        sounds: consuming Handover<ObjectSound>.Realtime, rooms: consuming Handover<RoomScene>.Realtime,
        parts: consuming Handover<ObjectPart>.Realtime, trajectories: consuming Handover<ObjectTrajectory>.Realtime, presence: SwitchRow,
        clock: CountRow, tree: ParameterTree, rate: Float, period: Int, room plan: RoomPlan? = nil, listeners: Int, isShared: Bool
    ) {
        let count = tree.objects
        scene = ObjectScene(
            count: count, present: tree.presentObjects.count, rate: rate, period: period, reflections: RoomImage.most,
            listeners: listeners, isShared: isShared, canEncode: true,
            room: count > 0 ? plan : nil)
        self.sounds = sounds
        lives = LiveSounds(objects: count)
        self.rooms = rooms
        self.parts = parts
        self.trajectories = trajectories
        self.presence = presence
        self.clock = clock
        time = clock.view
        self.rate = rate
        groups = count > 0 ? tree.index(ObjectGroupParameter.name) : 0
        paths = .allocate(capacity: count)
        paths.initialize(repeating: nil, count: count)
        present = presence.view
        parameters = count > 0 ? tree.index(ObjectParameter.source) : 0
        stride = ObjectParameter.allCases.count
        air = count > 0 ? tree.index(AirParameter.temperature) : 0
        room = count > 0 ? tree.index(RoomParameter.early) : 0
        settings = .allocate(capacity: count)
        settings.initialize(repeating: ObjectSettings(), count: count)
    }

    // SAFETY: a renderer ends on the control side, which may free the paths that are left.
    deinit {
        for object in 0..<scene.count {
            paths[object]?.deinitialize(count: 1)
            paths[object]?.deallocate()
        }
        paths.deallocate()
        settings.deallocate()
    }

    /// Prepares a block. The recording has been prepared for it already.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ reader: borrowing ParameterReader, _ recording: borrowing RecordingScene, state: Int, input: InputView?, block: Block
    ) {
        guard scene.count > 0 else { return }
        while let next = sounds.receive() {
            lives.add(next)
            if let superfluous = scene.take(next) { giveBack(superfluous) }
        }
        while let next = rooms.receive() {
            if let superfluous = scene.take(next) { rooms.giveBack(superfluous) }
        }
        while let next = parts.receive() {
            if let superfluous = scene.take(next) { parts.giveBack(superfluous) }
        }
        receivePaths()
        var isAlone = false
        for object in 0..<scene.count {
            settings[object].isAbsent = !present.isOn(object)
            if !settings[object].isAbsent, value(reader, .solo, object) != 0 { isAlone = true }
        }
        for object in 0..<scene.count {
            // A removed object fades out where it was.
            if settings[object].isAbsent { settings[object].gain = 0 } else { read(reader, object, isAlone) }
        }
        scene.setAir(
            temperature: reader.target(air &+ AirParameter.temperature.rawValue),
            humidity: reader.target(air &+ AirParameter.humidity.rawValue))
        scene.roomLevels = RoomLevels(
            early: reader.target(room), late: reader.target(room &+ RoomParameter.late.rawValue &- RoomParameter.early.rawValue))
        let transport = ObjectTransport(
            isPlaying: state == TransportParameter.playing, isStopped: state == TransportParameter.stopped,
            feed: recording.feed, place: recording.place, radius: recording.recorded?.pointee.radius ?? 0)
        follow(transport, block)
        lives.offer()
        scene.prepare(
            settings, transport, array: scene.encodes(settings) ? recording.encoded : nil, input: input, block: block)
        lives.settle()
        while let done = scene.release() { giveBack(done) }
        if let done = scene.releaseRoom() { rooms.giveBack(done) }
        if let done = scene.releasePart() { parts.giveBack(done) }
    }

    @_noLocks @_noAllocation
    private mutating func giveBack(_ sound: UnsafeMutablePointer<ObjectSound>) {
        lives.remove(sound)
        sounds.giveBack(sound)
    }

    /// Takes paths that have come, and gives back those that they replace.
    @_noLocks @_noAllocation
    private mutating func receivePaths() {
        while let next = trajectories.receive() {
            let object = next.pointee.object
            guard object < scene.count else {
                trajectories.giveBack(next)
                continue
            }
            if let old = paths[object] { trajectories.giveBack(old) }
            paths[object] = next.pointee.isThere ? next : nil
            if !next.pointee.isThere { trajectories.giveBack(next) }
        }
    }

    /// Moves the objects that have a path to where they are at the block's end.
    @_noLocks @_noAllocation
    private func follow(_ transport: ObjectTransport, _ block: Block) {
        let place = scene.place(after: transport, block)
        time.set(0, Int(place))
        let seconds = Double(place) / Double(rate)
        for object in 0..<scene.count {
            guard let path = paths[object], !settings[object].isAbsent else { continue }
            settings[object].move(to: path.pointee.place(at: seconds))
        }
    }

    /// Prepares the current block for a listener that is not at the origin.
    ///
    /// - Parameter number: of the listener on this thread, from 1.
    @_noLocks @_noAllocation
    mutating func place(_ listener: UnsafeMutablePointer<PlacedListener>, number: Int, block: Block) {
        scene.place(listener, number: number, block: block)
    }

    /// Adds the objects that are encoded onto the array.
    ///
    /// - Parameter samples: interleaved microphone signals.
    @_noLocks @_noAllocation
    mutating func encode(to samples: UnsafeMutablePointer<Float>, frames: Int) {
        scene.addEncoded(to: samples, frames: frames)
    }

    /// Settings of an object in the last block.
    @_noLocks @_noAllocation
    func setting(_ object: Int) -> ObjectSettings { settings[object] }

    /// The live input without the channels that objects use.
    @_noLocks @_noAllocation
    mutating func direct(_ input: InputView?, block: Block) -> InputView? { scene.direct(input, block: block) }

    /// - Parameter isAlone: whether some object is soloed.
    @_noLocks @_noAllocation
    private func read(_ reader: borrowing ParameterReader, _ object: Int, _ isAlone: Bool) {
        let group = Int(rt_whole(value(reader, .group, object)))
        let first = groups &+ (group &- 1) &* groupStride
        let isMuted = group > 0 && reader.target(first &+ ObjectGroupParameter.mute.rawValue) != 0
        let isSilent = isMuted || value(reader, .mute, object) != 0 || (isAlone && value(reader, .solo, object) == 0)
        var next = ObjectSettings(
            azimuth: value(reader, .azimuth, object), elevation: value(reader, .elevation, object),
            distance: value(reader, .distance, object), gain: isSilent ? 0 : value(reader, .gain, object))
        if group > 0 { next.gain *= reader.target(first &+ ObjectGroupParameter.gain.rawValue) }
        next.reference = value(reader, .reference, object)
        next.bubble = value(reader, .bubble, object)
        next.air = value(reader, .air, object)
        next.doppler = value(reader, .doppler, object)
        next.directivity = value(reader, .directivity, object)
        next.yaw = value(reader, .yaw, object)
        next.pitch = value(reader, .pitch, object)
        next.isEncoded = value(reader, .renderer, object) != 0
        settings[object] = next
    }

    @_noLocks @_noAllocation
    private func value(_ reader: borrowing ParameterReader, _ parameter: ObjectParameter, _ object: Int) -> Float {
        reader.target(parameters &+ object &* stride &+ parameter.rawValue)
    }
}
