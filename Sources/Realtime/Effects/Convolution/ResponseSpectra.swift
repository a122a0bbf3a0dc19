internal import DSP

/// Spectra of an impulse response for ``Convolution``. Computing them takes time; any number of convolutions share one
/// value.
public final class ResponseSpectra: Sendable {
    let left: SideSpectra
    let right: SideSpectra
    /// Paths to the other side, empty unless the response is true stereo.
    let leftToRight: SideSpectra
    let rightToLeft: SideSpectra
    let isTrueStereo: Bool
    /// Factor that gives the response the level of its file.
    let ownLevel: Float
    /// Length in samples.
    let length: Int

    /// - Parameters:
    ///   - left, right: impulse response of each side, samples; the same one twice for a mono response.
    ///   - leftToRight, rightToLeft: paths to the other side of a true-stereo response; empty for all others.
    ///   - ownLevel: factor that gives the response the level of its file.
    public init(
        left: [Float], right: [Float], leftToRight: [Float] = [], rightToLeft: [Float] = [], ownLevel: Float = 1
    ) {
        self.left = SideSpectra(left)
        self.right = SideSpectra(right)
        self.leftToRight = SideSpectra(leftToRight)
        self.rightToLeft = SideSpectra(rightToLeft)
        self.ownLevel = ownLevel
        isTrueStereo = !leftToRight.isEmpty || !rightToLeft.isEmpty
        length = max(max(left.count, right.count), max(leftToRight.count, rightToLeft.count))
    }
}
