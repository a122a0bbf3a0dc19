public import Binaural

/// A table for sound objects that was designed from a SOFA file.
public struct HRTFTableFile: Sendable {
    /// Path of the SOFA file.
    public let path: String
    public let table: HRTFTable
    /// Radius in metres of the measured head, from the phases of its ears.
    public let measuredRadius: Double

    /// Designs the table, which takes a few seconds.
    ///
    /// - Parameter progress: receives the completed share, 0 to 1, and returns whether to continue.
    /// - Returns: nil if `progress` stopped the work.
    /// - Throws: ``MediaError`` when the file cannot be used or the head radius is out of range.
    public init?(_ order: HRTFTableRequest, progress: (Double) -> Bool = { _ in true }) throws(MediaError) {
        try HRTFRequest.check(headRadius: order.headRadius)
        let file = try SofaFile(path: order.path)
        guard progress(0) else { return nil }
        let design = HRTFTableDesign(
            file.responses, rate: order.rate, headRadius: Double(order.headRadius), equalisation: order.equalisation)
        guard let table = design.table(progress: progress) else { return nil }
        (self.table, path, measuredRadius) = (table, file.path, design.measuredRadius)
    }
}
