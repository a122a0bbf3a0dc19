/// The devices that are not a network.
public enum TrackerLinks {
    /// - Parameter descriptor: where packets are written to; closed by the link, and at once when there is none.
    /// - Throws: ``TrackerSourceError``.
    public static func make(_ source: TrackerSource, _ descriptor: Int32) throws -> any TrackerLink {
        throw TrackerSourceError(text: source.description, reason: "this program is built without such devices")
    }
}
