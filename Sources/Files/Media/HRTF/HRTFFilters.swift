public import Binaural

/// Filters for one ``HRTFRequest``, designed or read from the cache.
public struct HRTFFilters: Sendable {
    public let order: HRTFRequest
    /// Path of the SOFA file the filters were designed from.
    public let path: String
    public let bank: FilterBank
    /// True for filters read from the cache.
    public let wereKept: Bool
    /// Radius in metres of the measured head, from the phases of its ears; 0 for filters read from the cache.
    public let measuredRadius: Double
    /// The reason why the filters could not be written to the cache; nil if they were.
    public let notKept: MediaError?

    /// Computes the filters, which takes a second or more, or reads them from the cache.
    ///
    /// - Parameters:
    ///   - cache: cache to read from and write to; nil for none.
    ///   - workers: number of concurrent threads.
    ///   - progress: called with the completed share, 0 to 1, on any thread but never concurrently; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work.
    /// - Throws: ``MediaError`` when the file cannot be used or the head radius is out of range.
    public init?(
        _ order: HRTFRequest, cache: FilterCache?, workers: Int = 1,
        progress: @escaping @Sendable (Double) -> Bool = { _ in true }
    ) throws(MediaError) {
        try HRTFRequest.check(headRadius: order.headRadius)
        let file = try SofaFile(path: order.path)
        let key = order.key(file.hash)
        let frame = HRTFFrame(rate: Float(order.rate))
        (self.order, path) = (order, file.path)
        if let sets = cache?.read(key, sets: order.layout.sets, length: 2 * order.layout.channels.count * frame.taps) {
            bank = FilterBank(order.layout, frame, sets: sets)
            (wereKept, measuredRadius, notKept) = (true, 0, nil)
            return
        }
        guard progress(0) else { return nil }
        let design = HRTFDesign(
            file.responses, order.layout, rate: order.rate, headRadius: Double(order.headRadius),
            equalisation: order.equalisation)
        guard let sets = FilterDesigning(design, progress: progress).run(workers: workers) else { return nil }
        bank = FilterBank(order.layout, frame, sets: sets)
        (wereKept, measuredRadius) = (false, design.measuredRadius)
        do {
            try cache?.write(key, sets: sets)
            notKept = nil
        } catch {
            notKept = error
        }
    }
}
