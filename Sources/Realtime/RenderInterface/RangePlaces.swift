/// Places of the renderer at which sound is kept in range, in the order of their counts.
public struct RangePlaces: Sendable {
    public static var recording: Int { @_noLocks @_noAllocation get { 0 } }
    public static var input: Int { @_noLocks @_noAllocation get { 1 } }
    public static var cues: Int { @_noLocks @_noAllocation get { 2 } }
    private static var first: Int { @_noLocks @_noAllocation get { 3 } }

    private let listeners: Int
    private let objects: Int

    public init(listeners: Int, objects: Int) {
        self.listeners = listeners
        self.objects = objects
    }

    public var count: Int { Self.first + listeners + objects }

    /// - Parameter index: counted from 0.
    @_noLocks @_noAllocation
    public static func listener(_ index: Int) -> Int { first &+ index }

    /// - Parameter index: counted from 0.
    @_noLocks @_noAllocation
    public func object(_ index: Int) -> Int { Self.first &+ listeners &+ index }

    /// Name of a place, for use in a sentence.
    public func name(_ place: Int) -> String {
        switch place {
        case Self.recording: "the recording"
        case Self.input: "the live input"
        case Self.cues: "the cues"
        case ..<(Self.first + listeners): "listener \(place - Self.first + 1)"
        default: "object \(place - Self.first - listeners + 1)"
        }
    }
}
