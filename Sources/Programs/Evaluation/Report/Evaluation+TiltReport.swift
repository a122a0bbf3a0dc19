internal import Binaural

extension Evaluation {
    /// Table of rolled and pitched heads.
    var tiltTable: String {
        var table = ReportTable(
            "ITD: mean error, \u{00B5}s, of sources all around in the plane of the microphones. Level: mean error over ERB bands, dB. "
                + "Small print: ITD of a source at 90\u{00B0}, rendered (exact); level below 1.5 kHz / 1.5 to 5 kHz / above 5 kHz.",
            header: ["Microphones, method"] + plan.tilts.flatMap { ["\(Self.name($0)): ITD", "level"] })
        for (index, first) in stride(from: 0, to: tilts.count, by: max(1, plan.tilts.count)).enumerated() {
            let row = tilts[first..<first + plan.tilts.count]
            table.add(
                "\(tilts[first].microphones) \(tilts[first].method.name)", row.flatMap(Self.cells),
                begins: index % plan.methods.count == 0)
        }
        return table.html
    }

    private static func name(_ tilt: HeadTilt) -> String {
        let roll = "roll \(ReportNumbers.whole(tilt.roll))\u{00B0}"
        return tilt.pitch == 0 ? roll : "\(roll), pitch \(ReportNumbers.whole(tilt.pitch))\u{00B0}"
    }

    private static func cells(_ figures: TiltFigures) -> [ReportTable.Cell] {
        let (whole, level) = (ReportNumbers.whole, figures.level)
        let regions = [level.low, level.middle, level.high].map { ReportNumbers.level($0.mean) }
        return [
            .init(text: whole(figures.time.mean), note: "\(whole(figures.side.rendered)) (\(whole(figures.side.exact)))"),
            .init(text: ReportNumbers.level(level.all.mean), note: regions.joined(separator: " / ")),
        ]
    }
}
