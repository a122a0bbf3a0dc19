import Hub
import Media

/// The reading of files that a client's message waits for.
final class FileWork: PendingWork {
    private let job: BackgroundJob<ReadFiles>
    private let messageFiles: MessageFiles

    init(_ job: BackgroundJob<ReadFiles>, messageFiles: MessageFiles) { (self.job, self.messageFiles) = (job, messageFiles) }

    var isDone: Bool { job.product != nil }

    /// The files, once they have been read.
    var product: ReadFiles? { job.product }

    let limit: UInt64 = 30_000_000_000

    func use(_ handler: () -> Void) {
        guard let files = job.product else { return }
        messageFiles.use(files, handler)
    }

    func giveUp() { job.giveUp() }
}
