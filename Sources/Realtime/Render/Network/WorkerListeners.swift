internal import Crossing
internal import RenderInterface

/// The listeners of one worker, and the poses that are scheduled for them.
struct WorkerListeners: ~Copyable, Sendable {
    private var coming: Handover<NetworkListener>.Realtime
    private var poses: Ring<TimedPose>.Consumer
    private var waitingPose: TimedPose?
    // SAFETY: owned by this value alone, which cannot be copied; the listeners are lent by the handover for good.
    private nonisolated(unsafe) let listeners: UnsafeMutablePointer<UnsafeMutablePointer<NetworkListener>>
    private let capacity: Int
    private(set) var count = 0

    init(_ coming: consuming Handover<NetworkListener>.Realtime, poses: consuming Ring<TimedPose>.Consumer, capacity: Int) {
        self.coming = coming
        self.poses = poses
        self.capacity = capacity
        listeners = .allocate(capacity: capacity)
    }

    // SAFETY: a renderer ends on the control side, which may free the listeners.
    deinit {
        for i in 0..<count {
            listeners[i].deinitialize(count: 1)
            listeners[i].deallocate()
        }
        listeners.deallocate()
    }

    subscript(_ i: Int) -> UnsafeMutablePointer<NetworkListener> { @_noLocks @_noAllocation get { listeners[i] } }

    /// Takes new listeners, and checks which are present.
    @_noLocks @_noAllocation
    mutating func receive() {
        let listeners = listeners
        while count < capacity, let next = coming.receive() {
            listeners[count] = next
            count = count &+ 1
        }
        for i in 0..<count {
            let listener = listeners[i]
            listener.pointee.look()
        }
    }

    /// Applies scheduled poses up to the block that begins at a sample.
    @_noLocks @_noAllocation
    mutating func turn(until sample: Int64) {
        while true {
            if waitingPose == nil { waitingPose = poses.pop() }
            guard let pose = waitingPose, pose.sample <= sample else { return }
            waitingPose = nil
            for i in 0..<count {
                let listener = listeners[i]
                if listener.pointee.index == Int(pose.listener) { listener.pointee.listener.turn(pose.quaternion, at: pose.time) }
            }
        }
    }

    /// Sample of the engine at which the next scheduled pose is due; the largest number without one.
    var nextTurn: Int64 { @_noLocks @_noAllocation get { waitingPose?.sample ?? .max } }
}

/// A listener on the network, rendered by a worker. It stays with its worker once it was made, and costs nothing while it is absent.
public struct NetworkListener: ~Copyable, Sendable {
    var listener: Listener
    /// From 0, among all listeners.
    let index: Int
    private let presence: Switch.Realtime
    /// Count of array changes that the listener was prepared for, and its channels.
    private var array = (changes: 0, channels: 0)
    private(set) var isPresent = false

    init(_ listener: consuming Listener, index: Int, isPresent: consuming Switch.Realtime) {
        self.listener = listener
        self.index = index
        presence = isPresent
    }

    /// Checks whether the listener is to be rendered.
    @_noLocks @_noAllocation
    mutating func look() {
        let isOn = presence.isOn
        // Sound from before its absence is not heard again.
        if isOn, !isPresent { listener.begin() }
        isPresent = isOn
    }

    /// Prepares the listener for the array of the coming block, if it has changed.
    @_noLocks @_noAllocation
    mutating func follow(changes: Int, channels: Int) {
        guard changes != array.changes else { return }
        listener.changeArray(isSameCount: channels == array.channels)
        array = (changes, channels)
    }
}

/// A scheduled pose on its way to a worker: applies from a block on.
struct TimedPose: BitwiseCopyable, Sendable {
    /// The engine's sample count at the block's first frame.
    var sample: Int64
    /// Due time, CLOCK_MONOTONIC nanoseconds.
    var time: UInt64
    /// From 0.
    var listener: Int32
    /// Unit quaternion w x y z.
    var quaternion: SIMD4<Float>

    @_noLocks @_noAllocation
    init(sample: Int64, time: UInt64, listener: Int32, quaternion: SIMD4<Float>) {
        self.sample = sample
        self.time = time
        self.listener = listener
        self.quaternion = quaternion
    }
}
