/// Bits per second over the last second or so.
struct RateMeter: Sendable {
    private static let span = 1000.0
    private var begun: Double?
    private var bytes = 0
    private var latest = 0.0

    mutating func add(_ count: Int, now: Double) {
        turn(now)
        if begun == nil { begun = now }
        bytes += count
    }

    private mutating func turn(_ now: Double) {
        guard let begun, now - begun >= Self.span else { return }
        latest = Double(bytes) * 8000 / (now - begun)
        bytes = 0
        self.begun = now - begun > 3 * Self.span ? nil : now
    }

    mutating func value(now: Double) -> Int {
        turn(now)
        return Int(clamping: latest)
    }
}
