import Binaural
import Foundation
import ListeningTest
import RenderCore

extension TestDefinition {
    /// The sounds of ``stimuli`` for the renderer.
    /// - Parameter gains: dB, in the same order; missing ones are 0.
    func conditions(gains: [Double] = []) -> [ComparisonCondition] {
        let reference = InterpolationMethod(name: reference) ?? .standard
        return stimuli.enumerated().map { place, stimulus in
            let gain = gains.indices.contains(place) ? Float(pow(10, gains[place] / 20)) : 1
            return switch stimulus {
            case .hiddenReference: ComparisonCondition(method: reference, gain: gain)
            case .anchor(let edge): ComparisonCondition(method: reference, edge: edge, gain: gain)
            case .method(let name): ComparisonCondition(method: InterpolationMethod(name: name) ?? reference, gain: gain)
            }
        }
    }

    /// Whether the method `hrtf` is among the sounds.
    var needsHRTF: Bool { ([reference] + conditions).contains(InterpolationMethod.hrtf.name) }
}
