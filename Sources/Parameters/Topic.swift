/// What a group of parameters is about: groups of one topic are of use together, on one page of a panel.
public enum Topic: String, Sendable, CaseIterable {
    case head, effects, trackers, array, session, engine, objects

    /// As OSCQuery's TAGS have it.
    public var tag: String { "topic.\(rawValue)" }
}
