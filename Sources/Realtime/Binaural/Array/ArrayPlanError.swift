/// Reason why a plan does not fit a recording.
public struct ArrayPlanError: Error, CustomStringConvertible, Equatable {
    public let description: String

    init(_ description: String) { self.description = description }
}
