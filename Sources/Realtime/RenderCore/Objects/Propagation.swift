internal import Binaural
internal import CRealtime
internal import DSP

/// Values that all sound objects share on their way to the heads: the air, and tables.
package struct Propagation: ~Copyable, Sendable {
    /// Time constant with which distances follow their settings, seconds.
    package static var time: Double { @_noLocks @_noAllocation get { 0.04 } }
    /// Largest speed at which the propagation delay changes, metres per second.
    package static var fastest: Double { @_noLocks @_noAllocation get { 50 } }
    /// Longest distance that is delayed and absorbed, metres.
    package static var farthest: Float { @_noLocks @_noAllocation get { 110 } }

    let rate: Float
    let taps = SincTaps()
    // SAFETY: owned by this value alone, which cannot be copied, and never changed. Apart from it, because every call that takes
    // this value copies it, as large values are passed.
    nonisolated(unsafe) let design: UnsafePointer<OctaveDesign>
    private(set) var air = AirAbsorption()
    /// Decibels per metre in the octaves.
    private(set) var absorption: SIMD8<Float>
    /// Number of changes of the air.
    private(set) var changes = 0

    package init(rate: Float) {
        self.rate = rate
        let design = UnsafeMutablePointer<OctaveDesign>.allocate(capacity: 1)
        design.initialize(to: OctaveDesign(rate: rate))
        self.design = UnsafePointer(design)
        absorption = AirAbsorption().decibels
    }

    deinit { design.deallocate() }

    @_noLocks @_noAllocation
    package mutating func set(temperature: Float, humidity: Float) {
        guard temperature != air.temperature || humidity != air.humidity else { return }
        air = AirAbsorption(temperature: temperature, humidity: humidity)
        absorption = air.decibels
        changes = changes &+ 1
    }

    /// Propagation delay, samples.
    @_noLocks @_noAllocation
    func delay(_ metres: Double) -> Double { metres * Double(rate) / Double(MicrophoneArray.speedOfSound) }
}
