internal import CRealtime

/// Objects and live input whose sound comes with each block, instead of sounds that the renderer keeps.
struct StreamedScene: ~Copyable {
    private let count: Int
    // SAFETY: owned by this value alone, which cannot be copied. Each object's direction, and whether it is audible.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<(direction: SIMD3<Float>, isOn: Bool, wasOn: Bool)>
    private let rows: Rows
    private let input: Rows
    /// The objects of the current block.
    private(set) var prepared: PreparedObjects
    private var radius: Float = 0
    private let rate: Float
    /// Whether objects have been streamed.
    private(set) var isUsed = false
    /// Whether live input comes with the blocks.
    var hasInput = false

    init(objects count: Int, rate: Float, period: Int) {
        self.count = count
        self.rate = rate
        places = .allocate(capacity: max(1, count))
        places.initialize(repeating: (SIMD3(1, 0, 0), false, false), count: count)
        rows = Rows(rows: max(1, count), length: period)
        input = Rows(rows: 2, length: period)
        prepared = PreparedObjects(
            count: count, shadow: SphereShadow(radius: Float(MicrophoneArray.standardRadius), rate: rate), rate: rate, period: period)
    }

    deinit { places.deallocate() }

    /// Memory for an object's sound of the next block; nil when there is no such object.
    func sound(_ object: Int) -> UnsafeMutablePointer<Float>? { object >= 0 && object < count ? rows.row(object) : nil }

    /// Memory for a side of the live input of the next block.
    func side(_ side: Int) -> UnsafeMutablePointer<Float> { input.row(side == 0 ? 0 : 1) }

    /// The live input; nil without it.
    var live: InputView? { hasInput ? InputView(left: input.row(0), right: input.row(1)) : nil }

    /// Places an object, or silences it; returns false when there is no such object, or no such direction.
    mutating func set(_ object: Int, _ direction: SIMD3<Float>, isOn: Bool) -> Bool {
        let length = (direction * direction).sum()
        guard object >= 0, object < count, !isOn || (length > 0.5 && length < 2) else { return false }
        places[object].isOn = isOn
        if isOn { places[object].direction = direction / length.squareRoot() }
        isUsed = true
        return true
    }

    /// Prepares the objects of a block.
    /// - Parameter radius: of the array's sphere, metres; 0 without an array.
    mutating func prepare(_ frames: Int, radius: Float) {
        let present = radius > 0 ? radius : Float(MicrophoneArray.standardRadius)
        if present != self.radius {
            self.radius = present
            prepared.shadow = SphereShadow(radius: present, rate: rate)
        }
        prepared.clear()
        for object in 0..<count {
            let place = places[object]
            places[object].wasOn = place.isOn
            guard place.isOn else { continue }
            let (whole, low) = (prepared.row(object, 0), prepared.row(object, 1))
            prepared.keepHistory(object, isFresh: !place.wasOn)
            rt_copy(whole, rows.row(object), frames)
            rt_zero(whole + frames, roundedToLanes(frames) - frames)
            prepared.shadow.lowPass(whole, low, frames: frames)
            prepared.add(ActiveObject(object: object, direction: place.direction, isFresh: !place.wasOn))
        }
        prepared.finish(frames)
    }
}
