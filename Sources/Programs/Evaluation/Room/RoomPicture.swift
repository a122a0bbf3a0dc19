package import Binaural
internal import DSP
internal import Foundation

/// Pictures of a room's acoustics, each an SVG document.
package enum RoomPicture: String, CaseIterable, Sendable {
    case decay, reflections, coherence

    package var fileName: String { "\(rawValue).svg" }

    private static let (width, height) = (640.0, 420.0)
    private static let (left, right, top, bottom) = (56.0, 620.0, 40.0, 372.0)
    private static let colours = ["#7a4fa3", "#3b6fb5", "#1f8f8a", "#4c9a3b", "#b58a1a", "#c4622d", "#b0334a"]

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func document(_ title: String, _ parts: [String]) -> String {
        let words = title.replacingOccurrences(of: "&", with: "&amp;")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" role="img" font-family="sans-serif" \
            font-size="12"><title>\(words)</title><rect width="100%" height="100%" fill="#ffffff"/>
            <text x="\(left)" y="24" font-size="15" font-weight="600">\(words)</text>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String = "#dddddd", _ width: Double = 1)
        -> String
    {
        "<path d=\"M\(number(x1)) \(number(y1))L\(number(x2)) \(number(y2))\" stroke=\"\(colour)\" stroke-width=\"\(number(width))\"/>"
    }

    private static func text(_ x: Double, _ y: Double, _ words: String, _ anchor: String = "middle", _ colour: String = "#444444") -> String
    {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\" fill=\"\(colour)\">\(words)</text>"
    }

    private static func curve(_ points: [(Double, Double)], _ colour: String, dashes: String = "") -> String {
        let places = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
        return "<polyline points=\"\(places)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.6\""
            + (dashes.isEmpty ? "/>" : " stroke-dasharray=\"\(dashes)\"/>")
    }

    // MARK: Decay

    /// Decay of the energy in each octave, down to -60 dB.
    package static func decay(_ figures: RoomFigures) -> String {
        let longest = max(0.1, figures.decays.map { Double($0.firstIndex { $0 < -60 } ?? $0.count) * RoomFigures.decayStep }.max() ?? 1)
        func x(_ seconds: Double) -> Double { left + (right - left) * seconds / longest }
        func y(_ level: Double) -> Double { top + (bottom - top) * level / -60 }
        var parts: [String] = []
        for level in stride(from: 0.0, through: -60, by: -10) {
            parts += [line(left, y(level), right, y(level)), text(left - 6, y(level) + 4, number(level), "end")]
        }
        for share in stride(from: 0.0, through: 1, by: 0.25) {
            parts.append(text(x(share * longest), bottom + 18, String(format: "%.2f", share * longest)))
        }
        parts += [text(right, bottom + 36, "seconds", "end"), text(left - 6, 28, "dB", "end")]
        for (band, decay) in figures.decays.enumerated() {
            let points = decay.prefix { $0 >= -60 }.enumerated().map { (x(Double($0.offset) * RoomFigures.decayStep), y($0.element)) }
            parts.append(curve(points, colours[band]))
            let words = figures.octaves[band].frequency.formatted(.number.grouping(.never)) + " Hz"
            parts.append(
                text(right - 8, top + 16 * Double(band + 1), words, "end", colours[band])
            )
        }
        return document("Decay of the energy by octaves", parts)
    }

    // MARK: Reflections

    /// Early reflections in plan: the room with its walls in their colours, and where each reflection comes from.
    package static func reflections(_ response: RoomResponse, room: Shoebox, source: SIMD3<Float>) -> String {
        let (from, listener) = (room.inRoom(source), room.inRoom(.zero))
        let scale = min((right - left) / Double(room.size[1]), (bottom - top) / Double(room.size[0])) * 0.7
        // The front is at the top, left at the left.
        func place(_ point: SIMD3<Float>) -> (Double, Double) {
            ((left + right) / 2 - scale * Double(point[1]), (top + bottom) / 2 - scale * Double(point[0]))
        }
        let (w, h) = (Double(room.size[1]) * scale, Double(room.size[0]) * scale)
        let (x0, y0) = ((left + right) / 2 - w / 2, (top + bottom) / 2 - h / 2)
        func colour(_ wall: Shoebox.Wall) -> String { room.walls[wall.rawValue].colour }
        var parts = [
            "<rect x=\"\(number(x0))\" y=\"\(number(y0))\" width=\"\(number(w))\" height=\"\(number(h))\" fill=\"\(colour(.floor))\" "
                + "fill-opacity=\"0.25\"/>",
            line(x0, y0, x0 + w, y0, colour(.front), 6), line(x0, y0 + h, x0 + w, y0 + h, colour(.back), 6),
            line(x0, y0, x0, y0 + h, colour(.left), 6), line(x0 + w, y0, x0 + w, y0 + h, colour(.right), 6),
        ]
        let (ear, voice) = (place(listener), place(from))
        let turn = Double(room.turn)
        for reflection in response.reflections.reversed() {
            let level = Double(reflection.decibels[3] - (response.reflections.first { $0.order == 0 }?.decibels[3] ?? 0))
            let size = max(2, 60 + 1.5 * level), angle = (Double(reflection.azimuth) - turn) * .pi / 180
            let flat = size * cos(Double(reflection.elevation) * .pi / 180)
            let shade = colours[min(6, reflection.order)]
            parts.append(line(ear.0, ear.1, ear.0 - flat * sin(angle), ear.1 - flat * cos(angle), shade, reflection.order == 0 ? 3 : 1.2))
        }
        parts.append("<circle cx=\"\(number(ear.0))\" cy=\"\(number(ear.1))\" r=\"5\" fill=\"#222222\"/>")
        parts.append(
            "<circle cx=\"\(number(voice.0))\" cy=\"\(number(voice.1))\" r=\"5\" fill=\"#ffffff\" stroke=\"#222222\" stroke-width=\"2\"/>")
        parts.append(
            text((left + right) / 2, bottom + 34, "filled: listener; open: source; each line points where a reflection comes from"))
        return document("Early reflections in plan", parts)
    }

    // MARK: Coherence

    /// Coherence between the ears of a rigid sphere in the late field of a response, beside that in an ideal diffuse field.
    /// - Parameter rate: frames per second.
    package static func coherence(_ response: RoomResponse, rate: Double) -> String {
        let frequencies = (0..<120).map { 50 * pow(160.0, Double($0) / 119) }
        func x(_ hertz: Double) -> Double { left + (right - left) * log(hertz / 50) / log(160) }
        func y(_ value: Double) -> Double { bottom - (bottom - top) * value }
        var parts: [String] = []
        for value in stride(from: 0.0, through: 1, by: 0.2) {
            parts += [line(left, y(value), right, y(value)), text(left - 6, y(value) + 4, number(value), "end")]
        }
        for hertz in [50.0, 100, 200, 500, 1000, 2000, 4000, 8000] {
            parts += [line(x(hertz), top, x(hertz), bottom), text(x(hertz), bottom + 18, hertz.formatted(.number.grouping(.never)))]
        }
        parts.append(
            text(right, bottom + 36, "Hz; solid: this room's late field, in thirds of an octave; dashed: ideal diffuse field", "end"))
        let ideal = frequencies.map { DiffuseCoherence.ideal($0) }
        let field = LateCoherence(response.late, rate: rate)
        let late = frequencies.filter { $0 < 0.42 * rate }.map { ($0, field.magnitude($0)) }
        parts.append(curve(zip(frequencies, ideal).map { (x($0), y($1)) }, "#888888", dashes: "5 4"))
        parts.append(curve(late.map { (x($0.0), y($0.1)) }, colours[1]))
        return document("Coherence between the ears", parts)
    }
}
