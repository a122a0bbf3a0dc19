internal import Binaural

/// The head simulated for `hrtf`: a rigid sphere of another size than the array's.
struct HRTFHead {
    let sphere: Sphere
    private let responses: HeadResponses

    init(_ plan: EvaluationPlan) {
        sphere = Sphere(radius: plan.headRadius)
        responses = .sphere(radius: plan.headRadius, rate: EarRenderer.rate)
    }

    /// Returns the filters from an array to the head's ears; nil for any other method.
    func bank(_ array: MicrophoneArray, _ method: InterpolationMethod) -> FilterBank? {
        guard method == .hrtf else { return nil }
        let layout = HRTFLayout(array)
        let design = HRTFDesign(responses, layout, rate: EarRenderer.rate)
        return FilterBank(layout, design.frame, sets: (0..<layout.sets).map(design.taps))
    }
}
