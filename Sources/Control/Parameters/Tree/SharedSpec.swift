/// The specification of a parameter, shared by all instances of its group: a tree may have a thousand listeners.
final class SharedSpec: Sendable {
    let spec: ParameterSpec

    init(_ spec: ParameterSpec) { self.spec = spec }
}
