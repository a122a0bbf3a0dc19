/// A device that brings poses on a thread of its own.
public protocol TrackerLink: AnyObject {
    /// Ends the thread.
    /// - Parameter waits: returns when it has ended, which may take a second; else it ends by itself.
    func stop(waits: Bool)
}
