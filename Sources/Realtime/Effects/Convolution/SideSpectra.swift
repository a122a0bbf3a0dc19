internal import DSP

/// Spectra of one side.
final class SideSpectra: Sendable {
    let taps: Row
    let near: PartSpectra
    let middle: PartSpectra
    let far: PartSpectra

    init(_ response: [Float]) {
        taps = Row(ConvolutionSide.part)
        for i in 0..<min(ConvolutionSide.part, response.count) { taps.samples[i] = response[i] }
        let first = min(response.count, 2 * ConvolutionSide.middle)
        let second = min(response.count, 2 * ConvolutionSide.large)
        near = PartSpectra(part: ConvolutionSide.part, response: response[min(ConvolutionSide.part, first)..<first])
        middle = PartSpectra(part: ConvolutionSide.middle, response: response[first..<second])
        far = PartSpectra(part: ConvolutionSide.large, response: response[second...])
    }
}
