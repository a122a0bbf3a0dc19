public import Binaural
internal import Foundation

/// Description of a recording in the JSON file beside it: the azimuths of its microphones, and, when it
/// was made from sources, where these are.
///
/// `NAME.json` beside `NAME.wav`, `scene.json` inside a folder.
public struct SceneDescription: Codable, Equatable, Sendable {
    /// Version of the format that this program reads and writes.
    public static let current = 1

    public var version = SceneDescription.current
    public var array: Geometry
    /// Delay of the recording relative to the sources it was made from, in samples.
    public var delay = 0
    /// Frames per second.
    public var rate: Int
    public var sources: [Placement] = []

    /// The microphones.
    public struct Geometry: Codable, Equatable, Sendable {
        public var count: Int
        /// Radius of the sphere, metres.
        public var radius: Float
        /// Azimuths in degrees, positive to the left, one per channel.
        public var azimuths: [Float]
    }

    /// One source.
    public struct Placement: Codable, Equatable, Sendable {
        public var name: String
        /// Azimuth in degrees, positive to the left.
        public var azimuth: Double
        /// Elevation in degrees, positive up.
        public var elevation: Double
        /// Gain in dB.
        public var gain: Double

        public init(name: String, azimuth: Double, elevation: Double = 0, gain: Double = 0) {
            self.name = name
            self.azimuth = azimuth
            self.elevation = elevation
            self.gain = gain
        }
    }

    public init(array: MicrophoneArray, rate: Int, delay: Int = 0, sources: [Placement] = []) {
        self.array = Geometry(count: array.count, radius: array.radius, azimuths: array.azimuthList)
        self.rate = rate
        self.delay = delay
        self.sources = sources
    }

    /// The microphone array. Requires a valid description, as initialisers and readers produce.
    public var microphones: MicrophoneArray { MicrophoneArray(azimuths: array.azimuths, radius: array.radius) }

    /// Path of the description of the recording at `path`: the same name with the extension json,
    /// or, if the recording is a folder, scene.json in it.
    public static func sidecar(of path: String) -> String {
        let url = URL(fileURLWithPath: path)
        if RecordingFolder.isFolder(path) {
            return url.appendingPathComponent("scene.json").path
        }
        return url.deletingPathExtension().appendingPathExtension("json").path
    }
}
