internal import CRealtime
internal import Glibc
internal import Synchronization

/// A thread. The program starts all its own threads in this way.
///
/// Unless ``join()`` was called, the thread continues when the last reference to this object is gone.
public final class ProgramThread: Sendable {
    /// Default size of a stack in bytes. The system's own default is 8 MB, and each stack takes its whole size from an address space that
    /// may be limited.
    public static let standardStack = 1 << 20

    private let handle: pthread_t
    private let isReleased = Atomic(false)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: as `top -H` shows it; at most 15 bytes.
    ///   - stack: in bytes.
    ///   - body: the work, which is released before the thread ends.
    /// - Throws: ``ThreadError`` when the system does not allow another thread.
    public init(_ name: String, stack: Int = standardStack, body: @escaping @Sendable () -> Void) throws(ThreadError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stack)
        var made = pthread_t()
        let work = Unmanaged.passRetained(Work(name, body))
        let refusal = pthread_create(&made, &attributes, { Work.main($0) }, work.toOpaque())
        guard refusal == 0 else {
            work.release()
            throw ThreadError(name: name, code: refusal)
        }
        handle = made
    }

    deinit { if release() { pthread_detach(handle) } }

    /// Waits for the end of the thread. Further calls have no effect.
    public func join() { if release() { pthread_join(handle, nil) } }

    /// Whether the caller runs on the thread.
    public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    private func release() -> Bool { !isReleased.exchange(true, ordering: .acquiringAndReleasing) }

    private final class Work: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

        static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            if let context {
                let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                realtime_name_thread(work.name)
                work.body()
            }
            return nil
        }
    }
}

/// Reason why a thread could not be started, and the remedy.
public struct ThreadError: Error, Equatable, CustomStringConvertible {
    /// Name of the thread.
    public let name: String
    /// Number of the system's error.
    public let code: Int32

    public init(name: String, code: Int32) { (self.name, self.code) = (name, code) }

    public var description: String { "the thread \"\(name)\" cannot be started: \(reason)" }

    /// The description as a sentence of its own.
    public var sentence: String { "\(description.prefix(1).uppercased())\(description.dropFirst())." }

    private var reason: String {
        switch code {
        case EAGAIN, ENOMEM:
            "the system allows this program no more threads, or no memory for another one; raise the limits (ulimit -u and -v, or TasksMax "
                + "and LimitAS of its service)"
        case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n, or LimitNOFILE of its service)"
        default: String(cString: strerror(code))
        }
    }
}

/// Threads that share a piece of work: each runs the same function, which takes one part after the other.
public enum WorkerThreads {
    /// Runs the work on the calling thread and on others beside it, and returns when all have ended. Where the system does not allow as
    /// many threads, there are fewer.
    ///
    /// - Parameters:
    ///   - count: number of threads, the calling one among them.
    ///   - name: name of the other threads, followed by a number from 2; at most 12 bytes.
    public static func run(_ count: Int, name: String, work: @Sendable () -> Void) {
        // The other threads have released it when `join()` returns.
        withoutActuallyEscaping(work) { work in
            var others: [ProgramThread] = []
            for number in 1..<max(1, count) {
                guard let thread = try? ProgramThread("\(name) \(number + 1)", body: work) else { break }
                others.append(thread)
            }
            work()
            for thread in others { thread.join() }
        }
    }
}
