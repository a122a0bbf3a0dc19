internal import Binaural
internal import Crossing
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Connects the sound objects with the parameters and with the thread that brings their sounds.
struct ObjectInput: ~Copyable, Sendable {
    /// The objects as listeners are rendered from them.
    private(set) var scene: ObjectScene
    private var sounds: Handover<ObjectSound>.Realtime
    private var rooms: Handover<RoomScene>.Realtime
    /// Index of the first object's first parameter.
    private let parameters: Int
    private let stride: Int
    /// Index of the air's first parameter.
    private let air: Int
    /// Index of the room's first parameter.
    private let room: Int
    // SAFETY: owned by this value alone, which cannot be copied. One per object.
    private nonisolated(unsafe) let settings: UnsafeMutablePointer<ObjectSettings>

    /// - Parameters:
    ///   - tree: its number of objects is that of the scene.
    ///   - room: room of the first block; nil for a free field.
    ///   - isShared: whether other threads receive the objects.
    init(
        sounds: consuming Handover<ObjectSound>.Realtime, rooms: consuming Handover<RoomScene>.Realtime, tree: ParameterTree, rate: Float,
        period: Int, room plan: RoomPlan? = nil, isShared: Bool
    ) {
        let count = tree.objects
        scene = ObjectScene(
            count: count, rate: rate, period: period, reflections: RoomImage.most, isShared: isShared, room: count > 0 ? plan : nil)
        self.sounds = sounds
        self.rooms = rooms
        parameters = count > 0 ? tree.index(ObjectParameter.source) : 0
        stride = ObjectParameter.allCases.count
        air = count > 0 ? tree.index(AirParameter.temperature) : 0
        room = count > 0 ? tree.index(RoomParameter.early) : 0
        settings = .allocate(capacity: count)
        settings.initialize(repeating: ObjectSettings(), count: count)
    }

    deinit { settings.deallocate() }

    /// Prepares a block. The recording has been prepared for it already.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ reader: borrowing ParameterReader, _ recording: borrowing RecordingScene, state: Int, input: InputView?, block: Block
    ) {
        guard scene.count > 0 else { return }
        while let next = sounds.receive() {
            if let superfluous = scene.take(next) { sounds.giveBack(superfluous) }
        }
        while let next = rooms.receive() {
            if let superfluous = scene.take(next) { rooms.giveBack(superfluous) }
        }
        var isAlone = false
        for object in 0..<scene.count where value(reader, .solo, object) != 0 { isAlone = true }
        for object in 0..<scene.count { read(reader, object, isAlone) }
        scene.setAir(
            temperature: reader.target(air &+ AirParameter.temperature.rawValue),
            humidity: reader.target(air &+ AirParameter.humidity.rawValue))
        scene.roomLevels = RoomLevels(
            early: reader.target(room), late: reader.target(room &+ RoomParameter.late.rawValue &- RoomParameter.early.rawValue))
        let transport = ObjectTransport(
            isPlaying: state == TransportParameter.playing, isStopped: state == TransportParameter.stopped,
            feed: recording.feed, place: recording.place, radius: recording.ring?.pointee.radius ?? 0)
        scene.prepare(settings, transport, input: input, block: block)
        while let done = scene.release() { sounds.giveBack(done) }
        if let done = scene.releaseRoom() { rooms.giveBack(done) }
    }

    /// Settings of an object in the last block.
    @_noLocks @_noAllocation
    func setting(_ object: Int) -> ObjectSettings { settings[object] }

    /// The live input without the channels that objects use.
    @_noLocks @_noAllocation
    mutating func direct(_ input: InputView?, block: Block) -> InputView? { scene.direct(input, block: block) }

    /// - Parameter isAlone: whether some object is heard alone.
    @_noLocks @_noAllocation
    private func read(_ reader: borrowing ParameterReader, _ object: Int, _ isAlone: Bool) {
        let isSilent = value(reader, .mute, object) != 0 || (isAlone && value(reader, .solo, object) == 0)
        var next = ObjectSettings(
            azimuth: value(reader, .azimuth, object), elevation: value(reader, .elevation, object),
            distance: value(reader, .distance, object), gain: isSilent ? 0 : value(reader, .gain, object))
        next.reference = value(reader, .reference, object)
        next.bubble = value(reader, .bubble, object)
        next.air = value(reader, .air, object)
        next.doppler = value(reader, .doppler, object)
        next.directivity = value(reader, .directivity, object)
        next.yaw = value(reader, .yaw, object)
        next.pitch = value(reader, .pitch, object)
        settings[object] = next
    }

    @_noLocks @_noAllocation
    private func value(_ reader: borrowing ParameterReader, _ parameter: ObjectParameter, _ object: Int) -> Float {
        reader.target(parameters &+ object &* stride &+ parameter.rawValue)
    }
}
