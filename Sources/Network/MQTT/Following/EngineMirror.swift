public import Hub
public import Parameters
public import Session

/// An engine that can mirror another one. Called on the control thread.
public protocol EngineMirror: AnyObject {
    /// Begins when the followed engine comes, and ends when it goes.
    func follow(_ isThere: Bool)
    /// Takes values of parameters, by address.
    func take(_ values: [String: [Argument]])
    /// Takes racks and scenes.
    func take(_ session: SessionFile)
    /// Takes a place in a recording, with its time by this machine's clock.
    func take(_ report: TransportReport)
    /// The reason why something is not mirrored, and how to help; empty for none.
    var problem: String { get }
}
