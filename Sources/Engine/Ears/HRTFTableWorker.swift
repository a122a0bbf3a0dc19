import Binaural
import Media
import Synchronization

/// Designs tables for sound objects in the background, for listeners counted from 0.
typealias HRTFTableWorker = BackgroundWorker<Int, HRTFTableRequest, HRTFTableFile>

extension BackgroundWorker where Customer == Int, Order == HRTFTableRequest, Product == HRTFTableFile {
    /// Listeners with the same head share the table that was designed last.
    convenience init() {
        let last = Mutex<(order: HRTFTableRequest, file: HRTFTableFile)?>(nil)
        self.init(name: "filters") { order, progress throws(MediaError) in
            if let last = last.withLock({ $0 }), last.order == order { return last.file }
            guard let file = try HRTFTableFile(order, progress: progress) else { return nil }
            last.withLock { $0 = (order, file) }
            return file
        }
    }
}
