internal import Glibc

/// Accumulated errors of both ears over one turn.
struct TurnSums {
    /// Level errors in dB by ERB band.
    private(set) var erb = [[Float]](repeating: [], count: FrequencyBands.erb.count)
    /// Sums near sector borders and away from them.
    private var parts = [Part](repeating: Part(), count: 2)

    private struct Part {
        var changes = 0.0
        var count = 0
        var clicks = 0.0
        var exactClicks = 0.0
        var total = 0.0
    }

    /// - Parameter isNear: whether the ear is near a border, for each frame.
    mutating func add(rendered: TurnFrames, exact: TurnFrames, isNear: [Bool]) {
        var before: [Double]?
        for frame in isNear.indices {
            let errors = zip(rendered.bands[frame], exact.bands[frame]).map { 10 * log10($0 / $1) }
            let part = isNear[frame] ? 0 : 1
            for (band, error) in errors.enumerated() { erb[band].append(Float(error)) }
            if let before {
                for (error, earlier) in zip(errors, before) {
                    parts[part].changes += (error - earlier) * (error - earlier)
                    parts[part].count += 1
                }
            }
            before = errors
            parts[part].clicks += rendered.clicks[frame]
            parts[part].exactClicks += exact.clicks[frame]
            parts[part].total += exact.total[frame]
        }
    }

    var modulation: TurnFigures.Borders { borders { ($0.changes / Double($0.count)).squareRoot() } }
    var clicks: TurnFigures.Borders { borders { 10 * log10($0.clicks / $0.total) } }
    var exactClicks: TurnFigures.Borders { borders { 10 * log10($0.exactClicks / $0.total) } }

    private func borders(_ figure: (Part) -> Double) -> TurnFigures.Borders {
        .init(near: figure(parts[0]), away: figure(parts[1]))
    }
}
