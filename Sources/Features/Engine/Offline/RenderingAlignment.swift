import Binaural
import Parameters
import RenderCore

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
