import Media

/// Computes HRTF filters in the background, for listeners counted from 0.
typealias HRTFWorker = BackgroundWorker<Int, HRTFRequest, HRTFFilters>

extension BackgroundWorker where Key == Int, Request == HRTFRequest, Product == HRTFFilters {
    /// - Parameter cache: filters that were computed before; nil for none.
    convenience init(cache: FilterCache?) {
        self.init(name: "filters") { request, progress throws(MediaError) in
            try HRTFFilters(request, cache: cache, progress: progress)
        }
    }
}
