/// Work on another thread that a message waits for, such as reading the file that it names.
public protocol PendingWork: AnyObject {
    /// Whether the handler may run.
    var isDone: Bool { get }
    /// Longest time that the message waits, in nanoseconds.
    var limit: UInt64 { get }

    /// Runs the handler, with the results of the work available to it.
    func use(_ handler: () -> Void)
    /// Abandons the work without waiting for it.
    func giveUp()
}
