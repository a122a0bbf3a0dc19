extension Demo {
    /// Tempo, length and harmony, common to all instruments.
    struct Score {
        /// Whole bars of the loop.
        let bars: Int
        /// 90 quarters a minute, so that bars and sixteenths are whole frames.
        static let beat = 32_000
        static let bar = 4 * beat

        var frames: Int { bars * Self.bar }

        /// A minor seventh, F major seventh, C, G with its sixth: five strings each, low to high, MIDI notes.
        static let chords = [
            [45, 52, 57, 60, 67],
            [41, 48, 57, 60, 64],
            [48, 52, 55, 60, 64],
            [43, 50, 55, 59, 64],
        ]

        func chord(_ bar: Int) -> [Int] { Self.chords[bar % Self.chords.count] }

        /// - Parameter beat: from 0, in quarters.
        func frame(bar: Int, beat: Double) -> Int { bar * Self.bar + Int(clamping: beat * Double(Self.beat)) }
    }
}
