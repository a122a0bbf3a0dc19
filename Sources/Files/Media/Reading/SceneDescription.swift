public import Binaural
public import FileOutput
internal import Files
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

extension SceneDescription {
    /// - Parameter path: path of the JSON file itself.
    public init(readingFrom path: String) throws(MediaError) {
        do {
            let data = Data(try RegularFile(path).bytes(atMost: RegularFile.largestText))
            self = try JSONDecoder().decode(SceneDescription.self, from: data)
        } catch let error as DecodingError {
            throw MediaError("\(path) is not a scene description: \(Self.explain(error)).")
        } catch { throw MediaError("\(error)") }
        if let problem { throw MediaError("\(path) is not a scene description: \(problem).") }
    }

    /// Writes the description to a file that was opened for it, and finishes it.
    public func write(to output: OutputFile) throws(MediaError) {
        if let problem { throw MediaError("\(output.path) was not written: \(problem).") }
        do {
            try output.write([UInt8](try JSONEncoder.file.encode(self)) + [UInt8(ascii: "\n")])
            try output.finish()
        } catch {
            throw MediaError("\(error).")
        }
    }

    /// The first invalid field, with its value and its valid range; nil if all are valid.
    private var problem: String? {
        if version != Self.current {
            return "its version is \(version), but this program reads version \(Self.current); generate it again, or update the program"
        }
        if !(1...MicrophoneArray.capacity).contains(array.count) {
            return "array.count is \(array.count), but must be 1 to \(MicrophoneArray.capacity)"
        }
        if array.azimuths.count != array.count {
            return "array.azimuths has \(counted(array.azimuths.count, "value")), but array.count is \(array.count)"
        }
        if let place = array.azimuths.firstIndex(where: { Turns.wrapped(Double($0)) == nil }) {
            return "array.azimuths[\(place)] is \(array.azimuths[place]), but must be \(Turns.range)"
        }
        if !(array.radius > 0 && array.radius <= 1) {
            return "array.radius is \(array.radius), but must be above 0 and at most 1 metre"
        }
        if Set(array.azimuths.map(wrapDegrees)).count < array.count {
            return "array.azimuths has two microphones at the same position"
        }
        if delay < 0 { return "delay is \(delay), but must be 0 samples or more" }
        if !(1...768_000).contains(rate) { return "rate is \(rate), but must be 1 to 768000 Hz" }
        for (index, source) in sources.enumerated() {
            guard let problem = source.problem else { continue }
            return "sources[\(index)].\(problem)"
        }
        return nil
    }

    private static func explain(_ error: DecodingError) -> String {
        func field(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let path = (context.codingPath + (last.map { [$0] } ?? []))
            return path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(field(context, key)) is missing"
        case .valueNotFound(_, let context): return "\(field(context)) is null"
        case .typeMismatch(let type, let context): return "\(field(context)) should be \(type)"
        case .dataCorrupted(let context):
            return "\(field(context).isEmpty ? "it" : field(context)) is not JSON (\(context.debugDescription))"
        @unknown default: return "it cannot be understood"
        }
    }
}

extension SceneDescription.Placement {
    /// The first invalid field, with its value and its valid range; nil if all are valid.
    package var problem: String? {
        if Turns.wrapped(azimuth) == nil { return "azimuth is \(azimuth), but must be \(Turns.range)" }
        if !(abs(elevation) <= 90) { return "elevation is \(elevation), but must be -90 to 90 degrees" }
        if !(abs(gain) <= 120) { return "gain is \(gain), but must be -120 to 120 dB" }
        return nil
    }

    /// `FILE@AZIMUTH` or `FILE@AZIMUTH,ELEVATION`, degrees, as on the command line; the name is FILE.
    public init(parsing text: String, gain: Double = 0) throws(MediaError) {
        guard let at = text.lastIndex(of: "@"), at != text.startIndex else {
            throw MediaError(
                "The source \"\(text)\" has no direction. Write FILE@AZIMUTH or FILE@AZIMUTH,ELEVATION "
                    + "in degrees, such as voice.wav@30.")
        }
        let angles = text[at...].dropFirst().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...2).contains(angles.count), let azimuth = angles[0], let elevation = angles.count > 1 ? angles[1] : 0
        else {
            throw MediaError(
                "The source \"\(text)\" needs an azimuth, and optionally an elevation, in degrees after "
                    + "the @, such as voice.wav@-110,15.")
        }
        self.init(name: String(text[..<at]), azimuth: azimuth, elevation: elevation, gain: gain)
        if let problem { throw MediaError("The source \"\(text)\": \(problem).") }
    }
}
