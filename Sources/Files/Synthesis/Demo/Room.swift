extension Demo {
    /// The sound that a hall would give back, from all sides: a network of eight delays (Jot, 1991).
    struct Room {
        /// Frames; without common factors.
        private static let lengths = [1453, 1777, 2017, 2311, 2683, 3049, 3491, 3931]
        /// Seconds to fall by 60 dB at low frequencies, and the share of the highest frequencies that is lost on each pass.
        private static let seconds = 1.3
        private static let damping = 0.38

        /// - Parameter directions: up to 8.
        /// - Returns: one loop for each direction, all of equal level and uncorrelated.
        static func answer(to dry: [Double], directions: Int) -> [Loop] {
            var room = Room()
            for sample in dry.suffix(3 * Demo.rate) { _ = room.process(sample) }
            // Rows of a Hadamard matrix: all lines in every direction, with distinct directions.
            let signs = (0..<directions).map { direction in
                var row = SIMD8<Double>(repeating: 1)
                for line in 0..<8 where (line & (direction + 1)).nonzeroBitCount & 1 == 1 { row[line] = -1 }
                return row
            }
            var loops = Array(repeating: Loop(frames: dry.count), count: directions)
            for (frame, sample) in dry.enumerated() {
                let lines = room.process(sample)
                for direction in 0..<directions { loops[direction].samples[frame] = (signs[direction] * lines).sum() }
            }
            return loops.map { $0.levelled() }
        }

        private var lines = Room.lengths.map { [Double](repeating: 0, count: $0) }
        private var places = SIMD8<Int>(repeating: 0)
        private var soft = SIMD8<Double>(repeating: 0)
        private let falls: SIMD8<Double>

        private init() {
            var falls = SIMD8<Double>(repeating: 0)
            for line in 0..<8 {
                let time = Double(Self.lengths[line]) / Double(Demo.rate)
                falls[line] = Demo.decay(time, seconds: Self.seconds)
            }
            self.falls = falls
        }

        private mutating func process(_ input: Double) -> SIMD8<Double> {
            var out = SIMD8<Double>(repeating: 0)
            for line in 0..<8 { out[line] = lines[line][places[line]] }
            soft += (1 - Self.damping) * (out - soft)
            // A Householder reflection: every line feeds every other, and no energy is lost.
            let back = falls * (soft - soft.sum() / 4)
            for line in 0..<8 {
                lines[line][places[line]] = back[line] + (line & 1 == 0 ? input : -input)
                places[line] = places[line] + 1 == Self.lengths[line] ? 0 : places[line] + 1
            }
            return out
        }
    }
}
