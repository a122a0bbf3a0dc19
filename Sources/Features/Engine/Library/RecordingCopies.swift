import Hub
import Media

/// Recordings that are made from others for clients, one at a time, on a thread that may take long. Used on the control thread.
final class RecordingCopies {
    private let hub: Hub
    /// Its product is the reason why no recording was made; empty when one was.
    private var job: BackgroundJob<String>?

    init(hub: Hub) { self.hub = hub }

    /// - Parameter work: makes a recording, while it is wanted.
    /// - Throws: `RequestError` while another one is being made, and `JobRefusal`.
    func begin(_ work: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Void) throws {
        guard job == nil else { throw RequestError("a recording is being corrected or joined; wait until it is complete") }
        job = try BackgroundJob(name: "copy", onEnd: {}) { isWanted in
            do { try work(isWanted) } catch { return "\(error)" }
            return ""
        }
    }

    /// - Returns: whether a recording was made.
    func tick() -> Bool {
        guard let reason = job?.product else { return false }
        job = nil
        if !reason.isEmpty { hub.notice(reason) }
        return reason.isEmpty
    }

    func stop() { job?.giveUp() }
}
