public import Hub
public import Session

/// An engine whose session, scenes and transport others can mirror. Called on the control thread.
public protocol SharedEngine: AnyObject {
    /// Racks and scenes.
    var shared: SessionFile { get }
    /// The place in the recording that is heard.
    var present: TransportReport { get }
}
