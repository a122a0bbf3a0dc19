internal import Parameters
internal import RenderInterface

/// Changes that are due at a later time: parameters with a timed handler of their own, and the way to the renderer.
struct TimedChanges {
    private var handlers: [Int: (ParameterValue, UInt64) -> Void] = [:]
    /// Passes a change to the renderer; returns false when there is no room.
    var schedule: (TimedChange) -> Bool = { _ in true }

    subscript(index: Int) -> ((ParameterValue, UInt64) -> Void)? {
        get { handlers[index] }
        set { handlers[index] = newValue }
    }
}
