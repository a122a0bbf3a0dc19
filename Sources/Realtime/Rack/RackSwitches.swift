internal import Crossing

/// Numbers of a whole rack that the control side and the audio thread exchange, for one listener.
enum RackSwitches {
    /// Indices: whether the rack is bypassed, and the largest samples before and after it since they were read.
    static var bypass: Int { @_noLocks @_noAllocation get { 0 } }
    static var input: Int { @_noLocks @_noAllocation get { 1 } }
    static var output: Int { @_noLocks @_noAllocation get { 2 } }

    static func makeRow() -> TargetRow { TargetRow([0, 0, 0]) }
}
