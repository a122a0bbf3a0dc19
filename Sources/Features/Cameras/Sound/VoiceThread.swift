internal import ListenerStreams
internal import Synchronization
internal import Threads

/// The thread that decodes the sound of all microphones that objects sound. It sleeps while nothing comes.
// SAFETY: `work` is set by the initializer only; `voices` is a lock's.
final class VoiceThread: @unchecked Sendable {
    /// By object.
    private let voices = Mutex<[Int: CameraVoice]>([:])
    private var work: EncodingWork!

    init() throws(ThreadError) {
        work = EncodingWork("camera sound") { [unowned self] in
            for voice in voices.withLock({ Array($0.values) }) { voice.work() }
            return false
        }
        try work.start()
    }

    /// Decodes for an object from now on, or no longer.
    func set(_ object: Int, _ voice: CameraVoice?) { voices.withLock { $0[object] = voice } }

    /// Wakes the thread to process new packets.
    func wake() { work.wake() }

    /// Ends the thread and waits for it.
    func stop() { work.stop() }
}
