import Crossing
import Media
import Render
import RenderCore

/// Reads the sounds of objects in the background, for objects counted from 0.
typealias ObjectSoundWorker = BackgroundWorker<Int, ObjectOrder, LoadedSound>

/// An order for a sound that an object is waiting for.
struct ObjectOrder: Equatable, Sendable {
    let object: Int
    /// The name that clients use.
    let name: String
    let path: String
}

/// A sound that was read, ready for the renderer.
struct LoadedSound: Sendable {
    let sound: Parcel<ObjectSound>
    let seconds: Double
    let warnings: [String]

    /// - Parameter rate: frames per second.
    /// - Returns: nil when `progress` returned false.
    init?(_ order: ObjectOrder, rate: Int, progress: (Double) -> Bool) throws(MediaError) {
        guard let file = try ObjectSoundFile.read(path: order.path, rate: rate, progress: progress) else { return nil }
        sound = Parcel(ObjectSound(object: order.object, mono: file.mono))
        seconds = Double(file.mono.count) / Double(rate)
        warnings = file.warnings
    }
}

extension BackgroundWorker where Customer == Int, Order == ObjectOrder, Product == LoadedSound {
    /// - Parameter rate: of the engine, frames per second.
    convenience init(rate: Int) {
        self.init(name: "sounds") { order, progress throws(MediaError) in
            try LoadedSound(order, rate: rate, progress: progress)
        }
    }
}
