extension Demo {
    /// The flow through the vocal folds, differentiated as the lips do (KLGLOTT88: Klatt and Klatt, JASA 87(2), 1990).
    struct Glottis {
        /// Share of a period in which the vocal folds are open.
        private static let openQuotient = 0.62
        private var phase = 0.0
        private var flow = 0.0

        var isOpen: Bool { phase < Self.openQuotient }

        /// Returns the difference of the flow between two samples, which aliases less than samples of its slope.
        /// - Parameter frequency: Hz.
        mutating func next(_ frequency: Double) -> Double {
            phase += frequency / Double(Demo.rate)
            if phase >= 1 { phase -= 1 }
            let share = phase / Self.openQuotient
            let now = share < 1 ? 6.75 * share * share * (1 - share) : 0
            defer { flow = now }
            return (now - flow) * Double(Demo.rate) / frequency / 20
        }
    }
}
