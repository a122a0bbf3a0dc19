import Binaural
import Media
import Synchronization

/// Designs tables for sound objects in the background, for listeners counted from 0.
typealias HRTFTableWorker = BackgroundWorker<Int, HRTFTableRequest, HRTFTableFile>

extension BackgroundWorker where Key == Int, Request == HRTFTableRequest, Product == HRTFTableFile {
    /// Listeners with the same head share the table that was designed last.
    convenience init() {
        let last = Mutex<(request: HRTFTableRequest, file: HRTFTableFile)?>(nil)
        self.init(name: "filters") { request, progress throws(MediaError) in
            if let last = last.withLock({ $0 }), last.request == request { return last.file }
            guard let file = try HRTFTableFile(request, progress: progress) else { return nil }
            last.withLock { $0 = (request, file) }
            return file
        }
    }
}
