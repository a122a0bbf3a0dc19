import Crossing
import Media

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
