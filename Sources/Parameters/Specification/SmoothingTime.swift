/// Times of smoothing in seconds, read by declarations and by the audio thread alike.
public enum SmoothingTime {
    public static var level: Float { @_noLocks @_noAllocation @inlinable get { 0.015 } }
    public static var crossfade: Float { @_noLocks @_noAllocation @inlinable get { 0.02 } }
    public static var slot: Float { @_noLocks @_noAllocation @inlinable get { 0.01 } }
    public static var effect: Float { @_noLocks @_noAllocation @inlinable get { 0.02 } }
    public static var delay: Float { @_noLocks @_noAllocation @inlinable get { 0.15 } }
}
