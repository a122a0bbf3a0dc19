public import Media

/// A sound and its direction, as a plane wave.
public struct SceneSource {
    public let sound: any MonoSource
    public let placement: SceneDescription.Placement

    public init(_ sound: any MonoSource, _ placement: SceneDescription.Placement) {
        self.sound = sound
        self.placement = placement
    }

    /// Opens the file whose path is the placement's name; the scene uses only the file name.
    public init(file placement: SceneDescription.Placement) throws(MediaError) {
        sound = try MonoFile(path: placement.name)
        self.placement = .init(
            name: sound.name, azimuth: placement.azimuth, elevation: placement.elevation, gain: placement.gain)
    }

    /// Warnings about the source's file; empty for sources in memory.
    public var warnings: [String] { (sound as? MonoFile)?.warnings ?? [] }
    /// Warnings about the samples of the source's file that were limited so far.
    public var limitWarnings: [String] { (sound as? MonoFile)?.limited.warnings ?? [] }
}
