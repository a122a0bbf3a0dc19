internal import DSP

/// The trials of one participant: their order, and the order of the sounds in each, drawn from a seed.
public struct TestPlan: Sendable, Equatable {
    /// One page of the test.
    public struct Trial: Sendable, Equatable {
        /// From 1; 0 for the training.
        public let number: Int
        /// Index of the passage.
        public let passage: Int
        /// From 1.
        public let repetition: Int
        /// Index in ``TestDefinition/stimuli`` of the sound at each position. An ABX trial has three: A, B and X.
        public let order: [Int]
    }

    public let trials: [Trial]

    public init(_ definition: TestDefinition, seed: Int) {
        var random = SeededRandom(seed: UInt64(clamping: seed))
        var drawn: [(passage: Int, repetition: Int, condition: Int)] = []
        let pairs = definition.kind == .abx ? definition.conditions.count : 1
        for passage in definition.passages.indices {
            for repetition in 1...definition.repetitions {
                for pair in 1...pairs { drawn.append((passage, repetition, pair)) }
            }
        }
        Self.shuffle(&drawn, &random)
        if let training = definition.training { drawn.insert((training, 1, 1), at: 0) }
        let first = definition.training == nil ? 1 : 0
        trials = drawn.enumerated().map { place, one in
            let order: [Int]
            switch definition.kind {
            case .mushra:
                var all = Array(definition.stimuli.indices)
                Self.shuffle(&all, &random)
                order = all
            case .abx:
                var pair = [0, one.condition]
                Self.shuffle(&pair, &random)
                order = pair + [pair[random.unit() < 0.5 ? 0 : 1]]
            }
            return Trial(number: first + place, passage: one.passage, repetition: one.repetition, order: order)
        }
    }

    /// Puts elements into a random order (Fisher and Yates), the same one for a seed on every machine.
    private static func shuffle<Element>(_ elements: inout [Element], _ random: inout SeededRandom) {
        for last in elements.indices.dropFirst().reversed() {
            let other = Int(clamping: random.unit() * Double(last + 1))
            elements.swapAt(last, min(other, last))
        }
    }
}
