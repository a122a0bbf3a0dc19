public import Hub
public import Parameters
public import Session

/// An engine that can mirror another one. Called on the control thread.
public protocol EngineMirror: AnyObject {
    /// Starts mirroring when the followed engine appears, and ends it when that engine disappears.
    func follow(_ isThere: Bool)
    /// Takes values of parameters, by address.
    func take(_ values: [String: [Argument]])
    /// Takes racks and scenes.
    func take(_ session: SessionFile)
    /// Takes a position in a recording, with its time by this machine's clock.
    func take(_ report: TransportReport)
    /// The reason why something is not mirrored, and how to help; empty for none.
    var problem: String { get }
}
