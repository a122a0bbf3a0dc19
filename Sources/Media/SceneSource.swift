/// A sound and the direction it comes from, as a plane wave.
public struct SceneSource {
    public let sound: any MonoSource
    public let placement: SceneDescription.Placement

    public init(_ sound: any MonoSource, _ placement: SceneDescription.Placement) {
        self.sound = sound
        self.placement = placement
    }

    /// The file that the placement's name is the path of; the scene will call it by its last part.
    public init(file placement: SceneDescription.Placement) throws(MediaError) {
        sound = try MonoFile(path: placement.name)
        self.placement = .init(
            name: sound.name, azimuth: placement.azimuth, elevation: placement.elevation, gain: placement.gain)
    }

    /// What a person should know about the file, if it is one.
    public var warnings: [String] { (sound as? MonoFile)?.warnings ?? [] }
}
