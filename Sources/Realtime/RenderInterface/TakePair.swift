/// Both ends of a source of a take.
@frozen
public struct TakePair: ~Copyable, Sendable {
    public let tap: TakeTap
    public let outlet: TakeTap.Outlet
}
