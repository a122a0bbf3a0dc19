internal import CRealtime
internal import Glibc
internal import Synchronization
public import Threads

/// Writes lines to a descriptor on its own thread. Adding a line never waits for the reader of the descriptor.
///
/// While the reader stalls, ``capacity`` lines are kept; further ones are counted and left out, and their number is logged as
/// soon as the log is read again.
public final class LogWriter: Sendable {
    /// Lines that wait for the reader.
    public static let capacity = 1024
    /// Longest time in nanoseconds that ``close()`` waits for the reader.
    public static let patience = 500_000_000

    private struct Line {
        /// Seconds since 1970.
        let time: Double
        let text: String
        /// Whether the text is written as it is, without the format.
        let isPlain: Bool
    }

    private struct Waiting {
        var lines: [Line] = []
        /// Lines left out since the last report of them.
        var leftOut = 0
        var isClosed = false
    }

    private let descriptor: Int32
    private let format: @Sendable (_ time: Double, _ text: String) -> String
    private let waiting = Mutex(Waiting())
    private let leftOutCount = Atomic<Int>(0)
    // SAFETY: POSIX semaphores may be used by any thread; they live as long as this object, which the thread retains.
    private nonisolated(unsafe) let hasWork: UnsafeMutablePointer<sem_t>
    private nonisolated(unsafe) let hasEnded: UnsafeMutablePointer<sem_t>

    /// Starts the thread.
    /// - Parameter format: makes a line of the log from the time, in seconds since 1970, and the text.
    /// - Throws: ``ThreadError`` when the system does not allow the thread.
    public init(descriptor: Int32, format: @escaping @Sendable (_ time: Double, _ text: String) -> String) throws(ThreadError) {
        self.descriptor = descriptor
        self.format = format
        hasWork = .allocate(capacity: 1)
        hasEnded = .allocate(capacity: 1)
        sem_init(hasWork, 0, 0)
        sem_init(hasEnded, 0, 0)
        _ = try ProgramThread("log") { [self] in run() }
    }

    deinit {
        sem_destroy(hasWork)
        sem_destroy(hasEnded)
        hasWork.deallocate()
        hasEnded.deallocate()
    }

    /// Lines left out since the start because the reader stalled.
    public var leftOut: Int { leftOutCount.load(ordering: .relaxed) }

    /// Adds a line.
    public func write(_ text: String) { add(text, isPlain: false) }

    /// Adds lines that are for people only, and are written as they are.
    public func show(_ text: String) { add(text, isPlain: true) }

    private func add(_ text: String, isPlain: Bool) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let line = Line(time: Double(now.tv_sec) + Double(now.tv_nsec) / 1e9, text: text, isPlain: isPlain)
        let isAdded = waiting.withLock { waiting in
            guard waiting.lines.count < Self.capacity, !waiting.isClosed else {
                waiting.leftOut += 1
                return false
            }
            waiting.lines.append(line)
            return true
        }
        if !isAdded { leftOutCount.add(1, ordering: .relaxed) }
        sem_post(hasWork)
    }

    /// Writes what is waiting and ends the thread; gives up after ``patience`` when there is no reader.
    public func close() {
        waiting.withLock { $0.isClosed = true }
        sem_post(hasWork)
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = end.tv_nsec + Self.patience
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while sem_timedwait(hasEnded, &end) != 0, errno == EINTR {}
    }

    // MARK: The thread

    private func run() {
        while true {
            while sem_wait(hasWork) != 0 {}
            let taken = waiting.withLock { waiting in
                defer { (waiting.lines, waiting.leftOut) = ([], 0) }
                return waiting
            }
            for line in taken.lines { put(line.isPlain ? line.text : format(line.time, line.text)) }
            if taken.leftOut > 0, let last = taken.lines.last {
                put(
                    format(
                        last.time,
                        "… \(counted(taken.leftOut, "line was", plural: "lines were")) left out because the log was not read")
                )
            }
            if taken.isClosed, waiting.withLock({ $0.lines.isEmpty }) { break }
        }
        sem_post(hasEnded)
    }

    private func put(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // The reader is gone.
                leftOutCount.add(1, ordering: .relaxed)
                return
            }
        }
    }
}
