public import Effects
public import Parameters

/// Any one of the effects, behind one face: numbers in the order of its parameters instead of its settings.
public struct EffectUnit: ~Copyable, Sendable {
    public let kind: EffectKind
    // SAFETY: points to one effect of `kind`, owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let effect: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: frames that one call of `process` handles at most.
    ///   - response: at `rate`, for ``Convolution`` only; nil is silence.
    public init(_ kind: EffectKind, rate: Float, largestBlock: Int, response: ResponseSpectra? = nil) {
        self.kind = kind
        effect =
            switch kind {
            case .convolution:
                Self.own(
                    Convolution(
                        rate: rate, largestBlock: largestBlock, response: response ?? ResponseSpectra(left: [], right: [])))
            case .delay: Self.own(Delay(rate: rate, largestBlock: largestBlock))
            case .reverb: Self.own(Reverb(rate: rate, largestBlock: largestBlock))
            case .flanger: Self.own(Flanger(rate: rate, largestBlock: largestBlock))
            case .chorus: Self.own(Chorus(rate: rate, largestBlock: largestBlock))
            case .tremolo: Self.own(Tremolo(rate: rate, largestBlock: largestBlock))
            case .phaser: Self.own(Phaser(rate: rate, largestBlock: largestBlock))
            case .vibrato: Self.own(Vibrato(rate: rate, largestBlock: largestBlock))
            case .pitchShift: Self.own(PitchShift(rate: rate, largestBlock: largestBlock))
            case .compressor: Self.own(Compressor(rate: rate, largestBlock: largestBlock))
            case .overdrive: Self.own(Overdrive(rate: rate, largestBlock: largestBlock))
            case .equaliser: Self.own(Equaliser(rate: rate, largestBlock: largestBlock))
            case .gate: Self.own(Gate(rate: rate, largestBlock: largestBlock))
            case .limiter: Self.own(Limiter(rate: rate, largestBlock: largestBlock))
            }
    }

    deinit {
        switch kind {
        case .delay: Self.disown(Delay.self, effect)
        case .reverb: Self.disown(Reverb.self, effect)
        case .convolution: Self.disown(Convolution.self, effect)
        case .flanger: Self.disown(Flanger.self, effect)
        case .chorus: Self.disown(Chorus.self, effect)
        case .tremolo: Self.disown(Tremolo.self, effect)
        case .phaser: Self.disown(Phaser.self, effect)
        case .vibrato: Self.disown(Vibrato.self, effect)
        case .pitchShift: Self.disown(PitchShift.self, effect)
        case .compressor: Self.disown(Compressor.self, effect)
        case .overdrive: Self.disown(Overdrive.self, effect)
        case .equaliser: Self.disown(Equaliser.self, effect)
        case .gate: Self.disown(Gate.self, effect)
        case .limiter: Self.disown(Limiter.self, effect)
        }
    }

    private static func own<Kind: Effect & ~Copyable>(_ effect: consuming Kind) -> UnsafeMutableRawPointer {
        let place = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
        place.initialize(to: effect)
        return UnsafeMutableRawPointer(place)
    }

    private static func disown<Kind: Effect & ~Copyable>(_: Kind.Type, _ effect: UnsafeMutableRawPointer) {
        let place = effect.assumingMemoryBound(to: Kind.self)
        place.deinitialize(count: 1)
        place.deallocate()
    }

    /// Samples by which its output is late.
    public var latency: Int {
        @_noLocks @_noAllocation get {
            switch kind {
            case .delay: effect.assumingMemoryBound(to: Delay.self).pointee.latency
            case .reverb: effect.assumingMemoryBound(to: Reverb.self).pointee.latency
            case .convolution: effect.assumingMemoryBound(to: Convolution.self).pointee.latency
            case .flanger: effect.assumingMemoryBound(to: Flanger.self).pointee.latency
            case .chorus: effect.assumingMemoryBound(to: Chorus.self).pointee.latency
            case .tremolo: effect.assumingMemoryBound(to: Tremolo.self).pointee.latency
            case .phaser: effect.assumingMemoryBound(to: Phaser.self).pointee.latency
            case .vibrato: effect.assumingMemoryBound(to: Vibrato.self).pointee.latency
            case .pitchShift: effect.assumingMemoryBound(to: PitchShift.self).pointee.latency
            case .compressor: effect.assumingMemoryBound(to: Compressor.self).pointee.latency
            case .overdrive: effect.assumingMemoryBound(to: Overdrive.self).pointee.latency
            case .equaliser: effect.assumingMemoryBound(to: Equaliser.self).pointee.latency
            case .gate: effect.assumingMemoryBound(to: Gate.self).pointee.latency
            case .limiter: effect.assumingMemoryBound(to: Limiter.self).pointee.latency
            }
        }
    }

    /// What a meter of gain reduction shows for the last block, decibels, 0 or more; 0 where there is none.
    public var reduction: Float {
        @_noLocks @_noAllocation get {
            switch kind {
            case .compressor: effect.assumingMemoryBound(to: Compressor.self).pointee.reduction
            case .gate: effect.assumingMemoryBound(to: Gate.self).pointee.reduction
            case .limiter: effect.assumingMemoryBound(to: Limiter.self).pointee.reduction
            default: 0
            }
        }
    }

    /// Samples after the end of the input until the output is under -60 dB.
    ///
    /// - Parameter tempo: beats per minute.
    @_noLocks @_noAllocation
    public func tail(_ values: UnsafePointer<Float>, tempo: Float) -> Int {
        let row = UnsafeRawPointer(values)
        switch kind {
        case .delay:
            return effect.assumingMemoryBound(to: Delay.self).pointee.tail(
                row.loadUnaligned(as: Delay.Settings.self).following(tempo: tempo))
        case .reverb:
            return effect.assumingMemoryBound(to: Reverb.self).pointee.tail(
                row.loadUnaligned(as: Reverb.Settings.self))
        case .convolution:
            return effect.assumingMemoryBound(to: Convolution.self).pointee.tail(
                row.loadUnaligned(as: Convolution.Settings.self))
        case .flanger:
            return effect.assumingMemoryBound(to: Flanger.self).pointee.tail(
                row.loadUnaligned(as: Flanger.Settings.self))
        case .chorus:
            return effect.assumingMemoryBound(to: Chorus.self).pointee.tail(
                row.loadUnaligned(as: Chorus.Settings.self))
        case .tremolo:
            return effect.assumingMemoryBound(to: Tremolo.self).pointee.tail(
                row.loadUnaligned(as: Tremolo.Settings.self))
        case .phaser:
            return effect.assumingMemoryBound(to: Phaser.self).pointee.tail(
                row.loadUnaligned(as: Phaser.Settings.self))
        case .vibrato:
            return effect.assumingMemoryBound(to: Vibrato.self).pointee.tail(
                row.loadUnaligned(as: Vibrato.Settings.self))
        case .pitchShift:
            return effect.assumingMemoryBound(to: PitchShift.self).pointee.tail(
                row.loadUnaligned(as: PitchShift.Settings.self))
        case .compressor:
            return effect.assumingMemoryBound(to: Compressor.self).pointee.tail(
                row.loadUnaligned(as: Compressor.Settings.self))
        case .overdrive:
            return effect.assumingMemoryBound(to: Overdrive.self).pointee.tail(
                row.loadUnaligned(as: Overdrive.Settings.self))
        case .equaliser:
            return effect.assumingMemoryBound(to: Equaliser.self).pointee.tail(
                row.loadUnaligned(as: Equaliser.Settings.self))
        case .gate:
            return effect.assumingMemoryBound(to: Gate.self).pointee.tail(
                row.loadUnaligned(as: Gate.Settings.self))
        case .limiter:
            return effect.assumingMemoryBound(to: Limiter.self).pointee.tail(
                row.loadUnaligned(as: Limiter.Settings.self))
        }
    }

    /// Milliseconds from echo to echo, of a delay.
    ///
    /// - Parameters:
    ///   - values: a number for each of its parameters that is one.
    ///   - tempo: beats per minute.
    public static func interval(_ values: [Float], tempo: Float) -> Float {
        values.withUnsafeBytes { $0.loadUnaligned(as: Delay.Settings.self) }.following(tempo: tempo).time
    }

    /// Forgets the past.
    @_noLocks @_noAllocation
    public mutating func reset() {
        switch kind {
        case .delay: effect.assumingMemoryBound(to: Delay.self).pointee.reset()
        case .reverb: effect.assumingMemoryBound(to: Reverb.self).pointee.reset()
        case .convolution: effect.assumingMemoryBound(to: Convolution.self).pointee.reset()
        case .flanger: effect.assumingMemoryBound(to: Flanger.self).pointee.reset()
        case .chorus: effect.assumingMemoryBound(to: Chorus.self).pointee.reset()
        case .tremolo: effect.assumingMemoryBound(to: Tremolo.self).pointee.reset()
        case .phaser: effect.assumingMemoryBound(to: Phaser.self).pointee.reset()
        case .vibrato: effect.assumingMemoryBound(to: Vibrato.self).pointee.reset()
        case .pitchShift: effect.assumingMemoryBound(to: PitchShift.self).pointee.reset()
        case .compressor: effect.assumingMemoryBound(to: Compressor.self).pointee.reset()
        case .overdrive: effect.assumingMemoryBound(to: Overdrive.self).pointee.reset()
        case .equaliser: effect.assumingMemoryBound(to: Equaliser.self).pointee.reset()
        case .gate: effect.assumingMemoryBound(to: Gate.self).pointee.reset()
        case .limiter: effect.assumingMemoryBound(to: Limiter.self).pointee.reset()
        }
    }

    /// In place; `values` has a number for each of its parameters that is one.
    ///
    /// - Parameter tempo: beats per minute.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int,
        values: UnsafePointer<Float>, tempo: Float
    ) {
        let row = UnsafeRawPointer(values)
        switch kind {
        case .delay:
            effect.assumingMemoryBound(to: Delay.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Delay.Settings.self).following(tempo: tempo))
        case .reverb:
            effect.assumingMemoryBound(to: Reverb.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Reverb.Settings.self))
        case .convolution:
            effect.assumingMemoryBound(to: Convolution.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Convolution.Settings.self))
        case .flanger:
            effect.assumingMemoryBound(to: Flanger.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Flanger.Settings.self))
        case .chorus:
            effect.assumingMemoryBound(to: Chorus.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Chorus.Settings.self))
        case .tremolo:
            effect.assumingMemoryBound(to: Tremolo.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Tremolo.Settings.self))
        case .phaser:
            effect.assumingMemoryBound(to: Phaser.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Phaser.Settings.self))
        case .vibrato:
            effect.assumingMemoryBound(to: Vibrato.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Vibrato.Settings.self))
        case .pitchShift:
            effect.assumingMemoryBound(to: PitchShift.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: PitchShift.Settings.self))
        case .compressor:
            effect.assumingMemoryBound(to: Compressor.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Compressor.Settings.self))
        case .overdrive:
            effect.assumingMemoryBound(to: Overdrive.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Overdrive.Settings.self))
        case .equaliser:
            effect.assumingMemoryBound(to: Equaliser.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Equaliser.Settings.self))
        case .gate:
            effect.assumingMemoryBound(to: Gate.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Gate.Settings.self))
        case .limiter:
            effect.assumingMemoryBound(to: Limiter.self).pointee.process(
                left, right, frames: frames, settings: row.loadUnaligned(as: Limiter.Settings.self))
        }
    }

    /// The settings an effect begins with, as its parameters' numbers; a test keeps both equal.
    public static func firstSettings(_ kind: EffectKind) -> [Float] {
        switch kind {
        case .delay: numbers(Delay.Settings())
        case .reverb: numbers(Reverb.Settings())
        case .convolution: numbers(Convolution.Settings())
        case .flanger: numbers(Flanger.Settings())
        case .chorus: numbers(Chorus.Settings())
        case .tremolo: numbers(Tremolo.Settings())
        case .phaser: numbers(Phaser.Settings())
        case .vibrato: numbers(Vibrato.Settings())
        case .pitchShift: numbers(PitchShift.Settings())
        case .compressor: numbers(Compressor.Settings())
        case .overdrive: numbers(Overdrive.Settings())
        case .equaliser: numbers(Equaliser.Settings())
        case .gate: numbers(Gate.Settings())
        case .limiter: numbers(Limiter.Settings())
        }
    }

    private static func numbers<Settings: EffectSettings>(_ settings: Settings) -> [Float] {
        withUnsafeBytes(of: settings) { Array($0.bindMemory(to: Float.self)) }
    }

    /// The names of an effect's settings, in the order in which they are stored.
    public static func settingNames(_ kind: EffectKind) -> [String] {
        switch kind {
        case .delay: names(Delay.Settings())
        case .reverb: names(Reverb.Settings())
        case .convolution: names(Convolution.Settings())
        case .flanger: names(Flanger.Settings())
        case .chorus: names(Chorus.Settings())
        case .tremolo: names(Tremolo.Settings())
        case .phaser: names(Phaser.Settings())
        case .vibrato: names(Vibrato.Settings())
        case .pitchShift: names(PitchShift.Settings())
        case .compressor: names(Compressor.Settings())
        case .overdrive: names(Overdrive.Settings())
        case .equaliser: names(Equaliser.Settings())
        case .gate: names(Gate.Settings())
        case .limiter: names(Limiter.Settings())
        }
    }

    /// A band's settings follow the band's name.
    private static func names(_ settings: Any) -> [String] {
        Mirror(reflecting: settings).children.flatMap { child in
            let label = child.label ?? ""
            if child.value is Float { return [label] }
            return names(child.value).map { label + $0.prefix(1).uppercased() + $0.dropFirst() }
        }
    }
}
