import Crossing
import Media
import Parameters
import Render
import RenderCore

/// Reads the sounds of objects in the background, for objects counted from 0.
typealias ObjectSoundWorker = BackgroundWorker<Int, ObjectRequest, LoadedSound>

extension BackgroundWorker where Key == Int, Request == ObjectRequest, Product == LoadedSound {
    /// - Parameter rate: of the engine, frames per second.
    convenience init(rate: Int) {
        self.init(name: "sounds") { request, progress throws(MediaError) in
            try LoadedSound(request, rate: rate, progress: progress)
        }
    }
}

/// A request for a sound that an object is waiting for.
struct ObjectRequest: Equatable, Sendable {
    let object: Int
    /// The name that clients use.
    let name: String
    let path: String
    var channel: SoundChannel
    /// Whether the transport is to play when the sound has been loaded.
    var plays = false
}

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
