internal import Crossing
internal import RenderCore
internal import RenderInterface

/// Sends the motion of all heads and objects to takes while requested: changes since the block before.
struct TakeMotion: ~Copyable, Sendable {
    private var heads: Ring<TakeHead>.Producer
    private var objects: Ring<TakeObject>.Producer
    private let isWanted: Switch.Realtime
    // SAFETY: owned by this value alone, which cannot be copied; what was sent last. Zeros stand for nothing.
    private nonisolated(unsafe) let sentHeads: UnsafeMutablePointer<SIMD4<Float>>
    // SAFETY: as above.
    private nonisolated(unsafe) let sentPlaces: UnsafeMutablePointer<SIMD3<Float>>
    // SAFETY: as above; distances are never 0.
    private nonisolated(unsafe) let sentObjects: UnsafeMutablePointer<SIMD4<Float>>
    private let counts: (listeners: Int, objects: Int)
    private let losses: CountRow
    private let lossesView: CountRow.View
    private var lost = 0
    private(set) var isOn = false

    init(
        heads: consuming Ring<TakeHead>.Producer, objects: consuming Ring<TakeObject>.Producer, isWanted: consuming Switch.Realtime,
        lost: CountRow, listeners: Int, objectCount: Int
    ) {
        self.heads = heads
        self.objects = objects
        self.isWanted = isWanted
        counts = (listeners, objectCount)
        (losses, lossesView) = (lost, lost.view)
        sentHeads = .allocate(capacity: listeners)
        sentHeads.initialize(repeating: .zero, count: listeners)
        sentPlaces = .allocate(capacity: listeners)
        sentPlaces.initialize(repeating: .zero, count: listeners)
        sentObjects = .allocate(capacity: objectCount)
        sentObjects.initialize(repeating: .zero, count: objectCount)
    }

    deinit {
        sentHeads.deallocate()
        sentPlaces.deallocate()
        sentObjects.deallocate()
    }

    /// Begins a block; everything is sent again after a pause.
    @_noLocks @_noAllocation
    mutating func begin() {
        let wasOn = isOn
        isOn = isWanted.isOn
        guard isOn, !wasOn else { return }
        for i in 0..<counts.listeners { sentHeads[i] = .zero }
        for i in 0..<counts.objects { sentObjects[i] = .zero }
    }

    /// - Parameters:
    ///   - place: of the head in the world.
    ///   - sample: sample of the engine at which the block begins.
    @_noLocks @_noAllocation
    mutating func note(_ listener: Int, _ head: SIMD4<Float>, _ place: SIMD3<Float>, of pose: UnsafePointer<HeadPose>, at sample: Int64) {
        guard isOn, head != sentHeads[listener] || place != sentPlaces[listener] else { return }
        let pose = pose.pointee
        let step = HeadStep(
            position: sample, head: head, place: place, pose: pose.quaternion,
            time: pose.senderTime != 0 ? pose.senderTime : pose.receiveTime)
        // A head that finds the ring full is repeated with the next block.
        if heads.push(TakeHead(listener: listener, step: step)) {
            (sentHeads[listener], sentPlaces[listener]) = (head, place)
        } else {
            lose()
        }
    }

    @_noLocks @_noAllocation
    private mutating func lose() {
        lost = lost &+ 1
        lossesView.set(0, lost)
    }

    @_noLocks @_noAllocation
    mutating func note(_ object: Int, _ settings: ObjectSettings, at sample: Int64) {
        let place = SIMD4(settings.azimuth, settings.elevation, settings.distance, settings.gain)
        guard place != sentObjects[object] else { return }
        if objects.push(TakeObject(object: object, sample: sample, place: place)) { sentObjects[object] = place } else { lose() }
    }
}
