/// A connection to a tracker that is attached to this computer. It receives poses on its own thread.
public protocol TrackerLink: AnyObject {
    /// Ends the thread.
    /// - Parameter waits: whether to return after the thread has ended, which may take a second; otherwise it ends
    ///   shortly afterwards.
    func stop(waits: Bool)
}
