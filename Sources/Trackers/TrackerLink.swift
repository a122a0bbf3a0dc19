/// A device that brings poses on a thread of its own.
public protocol TrackerLink: AnyObject {
    /// Ends the thread, and returns when it has ended.
    func stop()
}
