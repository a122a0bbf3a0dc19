/// One operation on an effect whose type is not known to the caller: the argument of the effect's C function.
///
/// Realtime code may call through a C function pointer, but not through a Swift function value. Each effect has one such
/// function, a closure that passes its argument on to ``run(_:_:)`` with its own type.
public struct EffectCall: BitwiseCopyable {
    enum Operation: BitwiseCopyable { case process, tail, reset }

    let operation: Operation
    let effect: UnsafeMutableRawPointer
    /// One number for each setting of the effect.
    var values: UnsafePointer<Float>?
    /// Beats per minute.
    var tempo: Float = 120
    var left: UnsafeMutablePointer<Float>?
    var right: UnsafeMutablePointer<Float>?
    var frames = 0
    /// Result of `tail`, in samples.
    var tail = 0
    /// Result of `process`: gain reduction in dB.
    var reduction: Float = 0

    @_noLocks @_noAllocation
    init(_ operation: Operation, of effect: UnsafeMutableRawPointer) {
        self.operation = operation
        self.effect = effect
    }

    /// Runs the operation on an effect of type `Kind`.
    ///
    /// - Parameter argument: points to an `EffectCall`.
    @inline(__always)
    public static func run<Kind: Effect & ~Copyable>(_: Kind.Type, _ argument: UnsafeMutableRawPointer) {
        let call = argument.assumingMemoryBound(to: EffectCall.self)
        let effect = call.pointee.effect.assumingMemoryBound(to: Kind.self)
        switch call.pointee.operation {
        case .reset: effect.pointee.reset()
        case .tail: call.pointee.tail = effect.pointee.tail(call.pointee.settings())
        case .process:
            guard let left = call.pointee.left, let right = call.pointee.right else { return }
            effect.pointee.process(left, right, frames: call.pointee.frames, settings: call.pointee.settings())
            call.pointee.reduction = effect.pointee.reduction
        }
    }

    @inline(__always)
    private func settings<Settings: EffectSettings>() -> Settings {
        UnsafeRawPointer(values!).loadUnaligned(as: Settings.self).following(tempo: tempo)
    }
}
