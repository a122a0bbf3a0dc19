internal import Binaural
internal import Crossing
internal import RenderCore
internal import RenderInterface

/// The listeners of the device, which the audio thread renders.
struct WiredListeners: ~Copyable, Sendable {
    let count: Int
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let listeners: UnsafeMutablePointer<Listener>
    // SAFETY: as above; stamps of the listeners that have taken a new pose for the current part of a block.
    private nonisolated(unsafe) let stamps: UnsafeMutablePointer<LatencyStamp>
    private var stampCount = 0
    /// The array that the listeners were prepared for: its count of changes and its channels.
    private var arrayChanges = 0
    private(set) var channels = 0

    /// - Parameter listener: called once for each of them, in order.
    init(count: Int, listener: (Int) -> Listener) {
        self.count = count
        listeners = .allocate(capacity: count)
        stamps = .allocate(capacity: count)
        for i in 0..<count { (listeners + i).initialize(to: listener(i)) }
    }

    deinit {
        listeners.deinitialize(count: count)
        listeners.deallocate()
        stamps.deallocate()
    }

    subscript(_ i: Int) -> UnsafeMutablePointer<Listener> { @_noLocks @_noAllocation get { listeners + i } }

    /// The bands that the listeners' methods need of the recording.
    @_noLocks @_noAllocation
    mutating func bands(_ reader: borrowing ParameterReader, _ ring: UnsafePointer<RingLookup>?, changes: Int) -> BandSet {
        var needs = BandSet()
        for i in 0..<count {
            let listener = listeners + i
            needs = needs | listener.pointee.bands(reader, ring, changes: changes)
        }
        return needs
    }

    /// Prepares the listeners for an array, if it is not the one that they were prepared for.
    @_noLocks @_noAllocation
    mutating func follow(changes: Int, channels: Int) {
        guard changes != arrayChanges else { return }
        arrayChanges = changes
        let isSameCount = channels == self.channels
        self.channels = channels
        for i in 0..<count {
            let listener = listeners + i
            listener.pointee.changeArray(isSameCount: isSameCount)
        }
    }

    /// Applies a scheduled pose.
    @_noLocks @_noAllocation
    mutating func turn(_ listener: Int, _ quaternion: SIMD4<Float>, at time: UInt64) {
        let listener = listeners + listener
        listener.pointee.turn(quaternion, at: time)
    }

    /// Notes that a listener has taken a new pose for the part that begins at a sample and a time.
    @_noLocks @_noAllocation
    mutating func note(_ listener: Int, sample: Int64, _ time: BlockTime) {
        let place = listeners + listener
        var stamp = place.pointee.stamp(listener, sample: sample)
        stamp.blockTime = time.begin
        stamp.outputTime = time.output &+ stamp.outputTime
        (stamps + stampCount).initialize(to: stamp)
        stampCount = stampCount &+ 1
    }

    /// Whether there are noted stamps that have not been sent.
    var hasStamps: Bool { @_noLocks @_noAllocation get { stampCount > 0 } }

    /// Sends the noted stamps.
    @_noLocks @_noAllocation
    mutating func sendStamps(rendered time: UInt64, to reports: inout GraphReports) {
        for i in 0..<stampCount {
            let stamp = stamps + i
            stamp.pointee.renderedTime = time
            reports.send(stamp.pointee)
        }
        stampCount = 0
    }
}
