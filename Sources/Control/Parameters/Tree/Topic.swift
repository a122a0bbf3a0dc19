/// Subject of a group of parameters: groups of one topic belong together, on one page of a panel.
public enum Topic: String, Sendable, CaseIterable {
    case head, effects, trackers, array, session, engine, objects, library

    /// The tag in OSCQuery's TAGS.
    public var tag: String { "topic.\(rawValue)" }
}
