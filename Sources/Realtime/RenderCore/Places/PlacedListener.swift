internal import CRealtime
internal import DSP

/// State of the objects for one listener at its own position. Costs nothing while the listener is at the origin.
package struct PlacedListener: ~Copyable, Sendable {
    /// Length of the crossfade when a listener leaves the origin or returns, seconds.
    private static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }

    private(set) var place = ListenerPlace()
    /// Share of the sound rendered for this place; the rest is that at the origin.
    private(set) var share = Ramp(from: 0, step: 0)
    private var reached: Float = 0
    /// Whether the current block is the first one at a place of its own.
    private(set) var isBeginning = true
    private var hasBegun = false
    // SAFETY: owned by this value alone, which cannot be copied; one for each object.
    nonisolated(unsafe) let paths: UnsafeMutablePointer<PlacedPath>
    // SAFETY: as above. The ends of the rows of the last block; what belongs to sounds that were not heard was never written.
    private nonisolated(unsafe) let histories: UnsafeMutablePointer<Float>
    private let history: Int
    /// Sound from all around, inside bubbles.
    var surround: SurroundField
    /// Whether sound came from all around in the last block.
    var wasSurrounded = false

    /// - Parameters:
    ///   - objects: number of sound objects.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    package init(objects: Int, rate: Float, period: Int) {
        paths = .allocate(capacity: objects)
        paths.initialize(repeating: PlacedPath(), count: objects)
        history = PreparedObjects.history(rate: rate)
        histories = .allocate(capacity: 2 * PreparedObjects.places(objects: objects) * history)
        surround = SurroundField(rate: rate, period: period)
    }

    deinit {
        paths.deallocate()
        histories.deallocate()
    }

    /// Advances by one block.
    ///
    /// - Parameter place: metres in the world.
    /// - Returns: whether the listener is elsewhere than at the origin.
    @_noLocks @_noAllocation
    package mutating func advance(to place: SIMD3<Float>, block: Block) -> Bool {
        self.place.advance(to: place, seconds: block.seconds)
        let wanted: Float = self.place.isOrigin ? 0 : 1
        let before = hasBegun ? reached : wanted
        hasBegun = true
        guard before > 0 || wanted > 0 else {
            reached = 0
            isBeginning = true
            return false
        }
        reached = Ramp.approach(wanted, from: before, step: block.seconds / Self.fade)
        share = Ramp(from: before, to: reached, frames: block.frames)
        return true
    }

    /// Ends a block at a place of its own.
    @_noLocks @_noAllocation
    mutating func finish() { isBeginning = false }

    /// Lets a block pass in which no object is heard.
    @_noLocks @_noAllocation
    package mutating func rest() {
        wasSurrounded = false
        surround.clear()
    }

    /// Forgets the sound of the past.
    @_noLocks @_noAllocation
    package mutating func reset() {
        hasBegun = false
        isBeginning = true
        place = ListenerPlace()
    }

    /// The end of the last block in one of an object's two rows.
    @_noLocks @_noAllocation
    func past(_ object: Int, _ part: Int) -> UnsafeMutablePointer<Float> { histories + (2 &* object &+ part) &* history }
}
