import Crossing
import Media
import Render

/// Where the sounds of objects are read; its customers are objects, counted from 0.
typealias ObjectWorkshop = Workshop<Int, ObjectOrder, LoadedSound>

/// A sound that an object waits for.
struct ObjectOrder: Equatable, Sendable {
    let object: Int
    /// What clients call it.
    let name: String
    let path: String
}

/// A sound that has been read, ready for the renderer.
struct LoadedSound: Sendable {
    let sound: Parcel<ObjectSound>
    let seconds: Double
    let warnings: [String]

    /// - Parameter rate: frames per second.
    /// - Returns: nil when `progress` said not to go on.
    init?(_ order: ObjectOrder, rate: Int, progress: (Double) -> Bool) throws(MediaError) {
        guard let file = try ObjectSoundFile.read(path: order.path, rate: rate, progress: progress) else { return nil }
        sound = Parcel(ObjectSound(object: order.object, mono: file.mono))
        seconds = Double(file.mono.count) / Double(rate)
        warnings = file.warnings
    }
}

extension Workshop where Customer == Int, Order == ObjectOrder, Product == LoadedSound {
    /// - Parameter rate: of the engine, frames per second.
    convenience init(rate: Int) {
        self.init(name: "sounds") { order, progress throws(MediaError) in
            try LoadedSound(order, rate: rate, progress: progress)
        }
    }
}
