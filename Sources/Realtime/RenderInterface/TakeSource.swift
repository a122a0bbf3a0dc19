/// A source of sound that a take can contain, and its place in the renderer's table.
public enum TakeSource: Hashable, Sendable {
    /// The microphones of the recording or of the live array, calibrated, as they are heard.
    case array
    /// The live input before its gain and its rack.
    case input
    /// The live input after its rack.
    case processedInput
    /// The ears of a listener, counted from 0, after the limiter.
    case ears(Int)

    @_noLocks @_noAllocation
    public static func count(listeners: Int) -> Int { 3 + listeners }

    /// Place in the renderer's table.
    public var place: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .array: 0
            case .input: 1
            case .processedInput: 2
            case .ears(let listener): 3 &+ listener
            }
        }
    }
}
