public import Binaural

extension FilterBank {
    /// HRTF filters for an array with numbers that differ between microphones, ears and directions.
    public static func made(for array: MicrophoneArray, rate: Float = 48_000) -> FilterBank {
        let layout = HRTFLayout(array)
        let frame = HRTFFrame(rate: rate)
        let count = 2 * array.count * frame.taps
        var sets: [[Float]] = []
        for set in 0..<layout.sets {
            var taps = [Float](repeating: 0, count: count)
            for i in 0..<count {
                let number: Int = (i * 7919 + set * 131) % 17 - 8
                taps[i] = Float(number) / 4096
            }
            sets.append(taps)
        }
        return FilterBank(layout, frame, sets: sets)
    }
}
