import Binaural
import Crossing
import Foundation
import ListeningTest
import Render
import RenderCore

/// The control side of one listener's comparison: conditions, and commands to play one of them.
final class ComparisonSender {
    private var stages: Handover<ComparisonStage>.Control
    private let choices: TargetRow
    private let place: Int
    private let rate: Float
    private let period: Int
    private var serial = 0
    /// Number of distinct serial numbers of choices; combined with the index they are exact as a `Float`.
    private static let serials = 1_000_000

    init(_ stages: consuming Handover<ComparisonStage>.Control, choices: TargetRow, place: Int, rate: Float, period: Int) {
        self.stages = stages
        (self.choices, self.place, self.rate, self.period) = (choices, place, rate, period)
    }

    /// Replaces the conditions. The first one plays, after a silence.
    func begin(_ conditions: [ComparisonCondition]) {
        _ = stages.send(ComparisonStage(conditions, rate: rate, period: period))
        play(0)
    }

    /// Switches to a condition, the current one included.
    func play(_ index: Int) {
        serial = (serial + 1) % Self.serials
        choices[place] = Float(1 + index + 16 * serial)
    }

    /// Returns to the listener's own method.
    func end() {
        choices[place] = 0
        stages.collect()
    }
}

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
