package import Binaural
import Media
package import Parameters
package import Pose
package import RenderCore

/// Settings of a rendering of a recording, of sound objects, or of both for one head.
package struct RenderingSettings {
    package struct Object {
        let path: String
        let place: [(parameter: ObjectParameter, value: Float)]
        let motion: ObjectMotion?

        /// - Parameters:
        ///   - path: of a sound file.
        ///   - place: its place, and other parameters of the object.
        package init(path: String, place: [(parameter: ObjectParameter, value: Float)], motion: ObjectMotion? = nil) {
            self.path = path
            self.place = place
            self.motion = motion
        }

        /// The channel of a stereo file that is heard.
        var channel: SoundChannel {
            place.last { $0.parameter == .channel }.flatMap { SoundChannel(number: $0.value) } ?? .both
        }

        /// Whether the object is encoded onto the array.
        var isEncoded: Bool { (place.last { $0.parameter == .renderer }?.value ?? 0) != 0 }
    }

    /// Path of the recording; nil for objects alone.
    package var recording: String?
    package var objects: [Object] = []
    /// Path of the description of the room that the objects are in; nil for a free field.
    package var room: String?
    /// Frames per second; nil for that of the recording, or for 48,000 without one.
    package var rate: Int?
    package var method = InterpolationMethod.standard
    package var head = HeadSource.track(MotionTrack(yaw: 0))
    /// Place of the listener, metres: front, left, up.
    package var place: [Float] = []
    /// Degrees from the nose.
    package var earAzimuth: Float = 90
    /// Path of the SOFA file; empty for the default one.
    package var hrtf = ""
    /// Metres; 0 for the radius of the SOFA file.
    package var headRadius: Float = 0
    package var equalisation = HRTFEqualisation.neutral
    /// True-peak limit, dB; nil for no limiter.
    package var ceiling: Float? = ProtectionParameter.ceiling.spec.initial.numbers[0]
    /// Frames per block.
    package var block = 64

    package init() {}

    /// Whether a SOFA file is read.
    var readsHRTF: Bool { method == .hrtf || !hrtf.isEmpty }
}

/// Delays in frames that give all parts of a rendering the latency of the slowest one; the rendering then leaves out this latency.
struct RenderingAlignment {
    /// Latency of all parts, frames.
    let latency: Int
    /// Frames before the recording begins.
    let recording: Int
    /// Frames before each object begins.
    let objects: [Int]
    /// Frames before the motion of the head begins: sound from microphones is turned at the output of the method, that of objects at its
    /// input.
    let motion: Int

    init(_ settings: RenderingSettings, rate: Int) {
        let rate = Float(rate)
        // Filters are made for the array of a recording.
        let method = settings.recording == nil ? settings.method.standIn : settings.method
        let microphones = method.latency(rate: rate)
        let direct = settings.readsHRTF ? ObjectHRTF.latency(rate: rate) : 0
        let late = settings.objects.map { $0.isEncoded ? microphones : direct }
        let recorded = settings.recording == nil ? nil : microphones
        latency = (late + (recorded.map { [$0] } ?? [])).max() ?? 0
        recording = recorded.map { [latency] in latency - $0 } ?? 0
        objects = late.map { [latency] in latency - $0 }
        motion = recorded != nil || settings.objects.contains(where: \.isEncoded) ? latency : 0
    }
}

/// Receives the reports of a rendering while it runs, in words.
package struct RenderingReports: Sendable {
    /// Called with warnings, on any thread.
    package var warn: @Sendable (_ text: String) -> Void = { _ in }
    /// Called with facts about the rendering.
    package var note: @Sendable (_ text: String) -> Void = { _ in }
    /// Called with an activity and the share of it that is done, 0 to 1, on any thread; with nil at its end.
    package var progress: @Sendable (_ activity: String, _ share: Double?) -> Void = { _, _ in }

    package init() {}
}
