extension Demo {
    /// The vocal tract: five formants in cascade and a fricative noise source. Its controls
    /// approach their targets as quickly as a tongue moves.
    struct Tract {
        private static let bandwidths: SIMD3<Double> = [95, 125, 180]
        private var formants: SIMD3<Double> = [500, 1500, 2500]
        private var moving: SIMD3<Double> = [500, 1500, 2500]
        private var voice = 0.0
        private var breath = 0.0
        private var hiss = 0.0
        private var last = 0.0
        private var first = Resonator(500, bandwidth: 70)
        private var second = Resonator(1500, bandwidth: 100)
        private var third = Resonator(2500, bandwidth: 150)
        private var fourth = Resonator(3500, bandwidth: 250)
        private var fifth = Resonator(4500, bandwidth: 350)
        private var narrow = Resonator(5000, bandwidth: 2000)

        /// Updates the controls; called once per millisecond.
        mutating func steer(_ aim: Phoneme.Aim) {
            moving += (aim.formants - moving) / 11
            formants += (moving - formants) / 11
            voice += (aim.voice - voice) / 9
            breath += (aim.breath - breath) / 7
            hiss += (aim.hiss - hiss) / 3.5
            first.tune(formants[0], bandwidth: Self.bandwidths[0])
            second.tune(formants[1], bandwidth: Self.bandwidths[1])
            third.tune(formants[2], bandwidth: Self.bandwidths[2])
            if aim.hiss > 0 { narrow.tune(aim.hissFrequency, bandwidth: 0.35 * aim.hissFrequency) }
        }

        /// - Parameters:
        ///   - pulse: output of the glottis.
        ///   - open: whether the vocal folds are open; only then does breath noise pass in a voiced sound.
        mutating func process(pulse: Double, open: Bool, noise: Double) -> Double {
            let air = noise * (0.35 * breath + (open ? 0.02 : 0.004) * voice)
            let throat = voice * pulse + air
            let mouth = fifth.process(fourth.process(third.process(second.process(first.process(throat)))))
            // Brighter by 12 dB towards 4 kHz, as in raised speech.
            defer { last = mouth }
            return 5 * (mouth - 0.88 * last) + 0.4 * hiss * narrow.band(noise)
        }
    }
}

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
