import CRealtime
import Hub
import Media

/// Writes the results of listening tests on another thread, one version after the other; a version that is superseded before it is written
/// is skipped.
final class ResultsWriter {
    private let hub: Hub
    private let files: TestFiles
    private var job: BackgroundJob<String?>?
    private var waiting: TestFiles.Contents?
    /// Longest wait for another thread at the end of the program, nanoseconds.
    private static let patience: UInt64 = 2_000_000_000

    init(hub: Hub, files: TestFiles) { (self.hub, self.files) = (hub, files) }

    var isBusy: Bool { job != nil }

    func save(_ contents: TestFiles.Contents) {
        var coming = contents
        // The head motion of a skipped version is still written.
        if coming.motion == nil { coming.motion = waiting?.motion }
        waiting = coming
        collect()
    }

    /// Reports what has been written, and begins to write what waits.
    func collect() {
        if let problem = job?.product {
            job = nil
            if let problem { hub.notice("listening test: \(problem)") }
        }
        guard job == nil, let contents = waiting else { return }
        let files = files
        // If no thread can be started, the next call tries again.
        job = try? BackgroundJob(name: "test results", onEnd: {}) { _ in
            do { try files.write(contents) } catch { return "\(error)" }
            return nil
        }
        if job != nil { waiting = nil }
    }

    /// Writes at once, after what is being written; for the end of the program.
    func finish(_ contents: TestFiles.Contents) {
        let end = rt_now() + Self.patience
        while let job, job.product == nil, rt_now() < end { realtime_sleep_until(rt_now() + 1_000_000) }
        (job, waiting) = (nil, nil)
        do { try files.write(contents) } catch { hub.notice("listening test: \(error)") }
    }
}
