internal import Binaural
internal import CRealtime
internal import Crossing
internal import RenderCore
internal import RenderInterface

/// The renderer's table of taps: sound is copied into the current ones.
struct TakeTaps: ~Copyable, Sendable {
    private var coming: Handover<TakeTap>.Realtime
    // SAFETY: owned by this value alone, which cannot be copied; the taps in it are lent by the handover.
    private nonisolated(unsafe) let taps: UnsafeMutablePointer<UnsafeMutablePointer<TakeTap>?>
    private let count: Int
    /// Number of taps in the table.
    private var used = 0

    init(_ coming: consuming Handover<TakeTap>.Realtime, listeners: Int) {
        self.coming = coming
        count = TakeSource.count(listeners: listeners)
        taps = .allocate(capacity: count)
        taps.initialize(repeating: nil, count: count)
    }

    deinit {
        for place in 0..<count {
            // In the same way as the handover frees taps that were given back.
            taps[place]?.deinitialize(count: 1)
            taps[place]?.deallocate()
        }
        taps.deallocate()
    }

    /// Whether there are none.
    var isEmpty: Bool { @_noLocks @_noAllocation get { used == 0 } }

    /// Whether there is a tap at a place.
    @_noLocks @_noAllocation
    mutating func contains(_ place: Int) -> Bool { taps[place] != nil }

    /// Receives new taps, and gives those back that they replace.
    @_noLocks @_noAllocation
    mutating func receive() {
        while let tap = coming.receive() {
            let place = tap.pointee.place
            guard place < count else {
                coming.giveBack(tap)
                continue
            }
            if let old = taps[place] {
                coming.giveBack(old)
                used = used &- 1
                taps[place] = nil
            }
            if tap.pointee.channels > 0 {
                taps[place] = tap
                used = used &+ 1
            } else {
                coming.giveBack(tap)
            }
        }
    }

    /// Writes two channels, if there is a tap for them.
    @_noLocks @_noAllocation
    mutating func write(
        _ place: Int, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, at sample: Int64
    ) {
        guard let tap = taps[place] else { return }
        tap.pointee.write(left, right, frames: frames, at: sample)
    }

    /// Writes interleaved channels, if there is a tap for as many.
    @_noLocks @_noAllocation
    mutating func write(_ place: Int, interleaved: UnsafePointer<Float>, channels: Int, frames: Int, at sample: Int64) {
        guard let tap = taps[place], tap.pointee.channels == channels else { return }
        tap.pointee.write(interleaved, frames: frames, at: sample)
    }
}

/// Copies of the sound and the motion of a block, for takes.
extension RenderGraph {
    /// Copies the recording's microphones as they are heard, and notes the objects' places.
    @_noLocks @_noAllocation
    mutating func recordScene(_ frames: Int) {
        if let ring = scene.recorded, !takes.isEmpty {
            takes.write(
                TakeSource.array.place, interleaved: scene.samples, channels: ring.pointee.channels, frames: frames, at: samples)
        }
        guard takeMotion.isOn else { return }
        for object in 0..<objects.scene.count where !objects.setting(object).isAbsent {
            takeMotion.note(object, objects.setting(object), at: samples)
        }
    }

    /// Copies a listener's ears, and notes the head that they were rendered for.
    @_noLocks @_noAllocation
    mutating func recordListener(_ listener: Int, _ frames: Int) {
        takeMotion.note(
            listener, listeners[listener].pointee.head, listeners[listener].pointee.place, of: listeners[listener].pointee.newestPose,
            at: samples)
        guard !takes.isEmpty else { return }
        takes.write(TakeSource.ears(listener).place, work.ears.row(0), work.ears.row(1), frames: frames, at: samples)
    }
}
