package import Binaural

/// Settings of the recording that apply to all listeners for one block.
package struct SceneSettings: BitwiseCopyable, Sendable {
    /// Hertz; 0 for each method's own rule.
    package var crossover: Float
    /// Bands that at least one listener needs.
    package var needs: BandSet

    @_noLocks @_noAllocation
    package init(crossover: Float, needs: BandSet) {
        self.crossover = crossover
        self.needs = needs
    }
}
