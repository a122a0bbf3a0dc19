import Crossing
import Media
import Render
import RenderCore

/// A sound that was read, ready for the renderer.
struct LoadedSound: Sendable {
    let sound: Parcel<ObjectSound>
    let seconds: Double
    let warnings: [String]

    /// - Parameter rate: frames per second.
    /// - Returns: nil when `progress` returned false.
    init?(_ request: ObjectRequest, rate: Int, progress: (Double) -> Bool) throws(MediaError) {
        guard let file = try ObjectSoundFile.read(path: request.path, rate: rate, channel: request.channel, progress: progress) else {
            return nil
        }
        sound = Parcel(ObjectSound(object: request.object, mono: file.mono))
        seconds = Double(file.mono.count) / Double(rate)
        warnings = file.warnings
    }
}
