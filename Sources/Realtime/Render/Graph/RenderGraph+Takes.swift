internal import Binaural
internal import RenderCore
internal import RenderInterface

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
