package import Effects

/// An impulse response that was read, ready for the renderer.
package struct LoadedResponse: Sendable {
    package let spectra: ResponseSpectra
    /// Warnings about a file that can be used nevertheless.
    package let warnings: [String]
}
