internal import Binaural
internal import CRealtime
internal import DSP

/// A room for all objects: their reflections, and the late field that they share.
struct RoomScene: ~Copyable, Sendable {
    let geometry: RoomGeometry
    let count: Int
    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    nonisolated(unsafe) let images: UnsafeMutablePointer<RoomImage>
    // SAFETY: as above. One for each object.
    nonisolated(unsafe) let voices: UnsafeMutablePointer<RoomVoice>
    // SAFETY: as above. Level at which each object feeds the late field, by its directivity.
    private nonisolated(unsafe) let sends: UnsafeMutablePointer<Float>
    private let objects: Int
    private var late: LateField
    private let input: Rows
    /// Frames for which reflections sound after their object has ended.
    let tail: Int
    /// Frames until the late field is silent.
    private var remaining = 0
    private var hasInput = false

    init(_ plan: RoomPlan, objects: Int, rate: Float, period: Int) {
        geometry = RoomGeometry(plan.room)
        count = plan.images.count
        self.objects = objects
        images = .allocate(capacity: max(1, count))
        for (index, image) in plan.images.enumerated() { (images + index).initialize(to: image) }
        voices = .allocate(capacity: objects)
        let longest = plan.longestWay
        for object in 0..<objects {
            (voices + object).initialize(to: RoomVoice(count: plan.images.count, longest: longest, rate: rate, period: period))
        }
        sends = .allocate(capacity: objects)
        sends.initialize(repeating: 1, count: objects)
        late = LateField(plan.late, room: plan.room, rate: rate, period: period)
        input = Rows(rows: 1, length: period)
        tail = Int(clamping: (longest / MicrophoneArray.speedOfSound + 0.05) * rate)
    }

    deinit {
        images.deallocate()
        voices.deinitialize(count: objects)
        voices.deallocate()
        sends.deallocate()
    }

    @_noLocks @_noAllocation
    mutating func begin(_ frames: Int) {
        rt_zero(input.row(0), roundedToLanes(frames))
        hasInput = false
    }

    /// Adds an object's sound at 1 m to the late field: with the mean power of all directions.
    @_noLocks @_noAllocation
    mutating func send(_ object: Int, _ row: UnsafePointer<Float>, _ settings: ObjectSettings, isFresh: Bool, block: Block) {
        let share = settings.directivity
        let wanted = rt_sqrt((1 - share) * (1 - share) + share * share / 3)
        let before = isFresh ? wanted : sends[object]
        sends[object] = Smoother.next(before, to: wanted, share: block.gainShare, tolerance: 1e-5)
        let (sum, ramp) = (input.row(0), Ramp(from: before, to: sends[object], frames: block.frames))
        for i in 0..<block.frames { sum[i] += row[i] * ramp.value(at: i) }
        hasInput = true
    }

    /// Ends the input of a block.
    /// - Returns: whether the late field sounds in it.
    @_noLocks @_noAllocation
    mutating func finish(_ frames: Int) -> Bool {
        remaining = hasInput ? late.tail : max(0, remaining &- frames)
        return remaining > 0
    }

    /// Writes the late field by directions.
    @_noLocks @_noAllocation
    mutating func render(_ rows: UnsafeMutablePointer<Float>, stride: Int, frames: Int) {
        late.process(input.row(0), rows, stride: stride, frames: frames)
    }
}
