/// Time constants of smoothing and lengths of crossfades in seconds. Declarations and kernels read the same values.
public enum SmoothingTime {
    public static var level: Float { @_noLocks @_noAllocation @inlinable get { 0.015 } }
    public static var crossfade: Float { @_noLocks @_noAllocation @inlinable get { 0.02 } }
    public static var slot: Float { @_noLocks @_noAllocation @inlinable get { 0.01 } }
    public static var effect: Float { @_noLocks @_noAllocation @inlinable get { 0.02 } }
    /// Delays, which glide: the mean time of a small change.
    public static var delay: Float { @_noLocks @_noAllocation @inlinable get { 0.1 } }
    /// Depth of slow modulation.
    public static var modulation: Float { @_noLocks @_noAllocation @inlinable get { 0.15 } }
    /// Crossfade of rooms.
    public static var room: Float { @_noLocks @_noAllocation @inlinable get { 0.08 } }
}
