internal import Binaural

/// The head that `personal` leads to in an evaluation: a rigid sphere of another size than the array's.
struct PersonalHead {
    let sphere: Sphere
    private let responses: HeadResponses

    init(_ plan: EvaluationPlan) {
        sphere = Sphere(radius: plan.headRadius)
        responses = .sphere(radius: plan.headRadius, rate: EarRenderer.rate)
    }

    /// The filters from an array to its ears; nil for any other method.
    func bank(_ array: MicrophoneArray, _ method: InterpolationMethod) -> FilterBank? {
        guard method == .personal else { return nil }
        let layout = PersonalLayout(array)
        let design = PersonalDesign(responses, layout, rate: EarRenderer.rate)
        return FilterBank(layout, design.frame, sets: (0..<layout.sets).map(design.taps))
    }
}
