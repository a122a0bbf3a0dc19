internal import Binaural
internal import CRealtime
internal import DSP

/// The sound of every object as it leaves the object, with its past: the input for listeners at their own places.
package struct ObjectSources: ~Copyable, Sendable {
    package let count: Int
    /// Number of objects and of directions all around.
    private let places: Int
    private let rows: Rows
    // SAFETY: owned by this value alone, which cannot be copied; one for each object.
    private nonisolated(unsafe) let lines: UnsafeMutablePointer<MovingDelay>
    // SAFETY: as above.
    package nonisolated(unsafe) let sites: UnsafeMutablePointer<ObjectSite>

    /// - Parameters:
    ///   - count: number of objects; 0 where no listener has a place of its own.
    ///   - period: largest block, frames.
    package init(count: Int, rate: Float, period: Int) {
        self.count = count
        places = PreparedObjects.places(objects: count)
        rows = Rows(rows: places, length: period)
        lines = .allocate(capacity: count)
        let longest = Int(clamping: Propagation.farthest / MicrophoneArray.speedOfSound * rate)
        for object in 0..<count { (lines + object).initialize(to: MovingDelay(longest: longest, period: period)) }
        sites = .allocate(capacity: count)
        sites.initialize(repeating: ObjectSite(), count: count)
    }

    deinit {
        lines.deinitialize(count: count)
        lines.deallocate()
        sites.deallocate()
    }

    /// An object's sound at 1 m, to be filled before ``keep(_:isFresh:frames:)``; the rows of all objects are followed by the sound from
    /// all around for other threads, without bubbles.
    @_noLocks @_noAllocation
    package func row(_ object: Int) -> UnsafeMutablePointer<Float> { rows.row(object) }

    /// Keeps the block that is in an object's row.
    ///
    /// - Parameter isFresh: whether the object was inaudible in the block before.
    @_noLocks @_noAllocation
    package mutating func keep(_ object: Int, isFresh: Bool, frames: Int) {
        let line = lines + object
        if isFresh { line.pointee.clear() }
        line.pointee.write(rows.row(object), frames: frames)
    }

    /// Writes the block that was kept last, delayed.
    @_noLocks @_noAllocation
    func read(
        _ object: Int, _ output: UnsafeMutablePointer<Float>, frames: Int, from: Double, to: Double, taps: borrowing SincTaps
    ) {
        let line = lines + object
        line.pointee.read(output, frames: frames, from: from, to: to, taps: taps)
    }

    // MARK: To other threads

    /// Copies all objects, and the sound of those that are audible.
    ///
    /// - Parameters:
    ///   - rows: receives an object's block at its number times `stride`.
    @_noLocks @_noAllocation
    package func copy(
        _ objects: borrowing PreparedObjects, sites target: UnsafeMutablePointer<ObjectSite>, rows: UnsafeMutablePointer<Float>,
        stride: Int, frames: Int
    ) {
        for object in 0..<count { target[object] = sites[object] }
        for i in 0..<objects.activeCount where objects.active[i].object < places {
            let object = objects.active[i].object
            rt_copy(rows + object &* stride, row(object), frames)
        }
    }

    /// Takes a block that ``copy(_:sites:rows:stride:frames:)`` has written on another thread.
    ///
    /// - Parameters:
    ///   - objects: those of the block.
    ///   - offset: frames of this block that have been taken already.
    @_noLocks @_noAllocation
    package mutating func accept(
        _ objects: borrowing PreparedObjects, sites source: UnsafePointer<ObjectSite>, rows: UnsafePointer<Float>, stride: Int,
        at offset: Int, frames: Int
    ) {
        for object in 0..<count { sites[object] = source[object] }
        for i in 0..<objects.activeCount where objects.active[i].object < places {
            let object = objects.active[i].object
            rt_copy(row(object) + offset, rows + object &* stride, frames)
        }
    }

    /// Keeps the block of all audible objects.
    @_noLocks @_noAllocation
    package mutating func keep(_ objects: borrowing PreparedObjects, frames: Int) {
        for i in 0..<objects.activeCount where objects.active[i].object < count {
            keep(objects.active[i].object, isFresh: objects.active[i].isFresh, frames: frames)
        }
    }
}
