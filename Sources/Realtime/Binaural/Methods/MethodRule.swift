/// A method of interpolation: its declaration, and the weights of the rows that make up an ear.
protocol MethodRule {
    static var declaration: MethodDeclaration { @_noLocks @_noAllocation get }

    /// Adds the weights of the rows that make up an ear.
    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps)
}
