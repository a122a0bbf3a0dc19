public import Parameters

/// A parameter to insert while the program runs.
public struct TransientParameter {
    public var address: String
    public var spec: ParameterSpec
    public var value: ParameterValue
    public var handler: Hub.Handler?
    /// Starts the work that the handler needs.
    public var need: Hub.Need?

    public init(_ address: String, _ spec: ParameterSpec, _ value: ParameterValue, handler: Hub.Handler? = nil) {
        self.address = address
        self.spec = spec
        self.value = value
        self.handler = handler
    }
}
