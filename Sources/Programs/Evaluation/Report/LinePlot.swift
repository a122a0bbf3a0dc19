internal import Foundation

/// Plot of curves over frequency as an inline SVG.
struct LinePlot {
    struct Curve {
        let name: String
        /// Number of the curve, from 0, which its colour, dashes and marker follow from.
        let number: Int
        let values: [Double]

        var colour: Int { number % ReportStyle.colours }
    }

    /// Values from one marker to the next.
    private static let markerInterval = 5

    let title: String
    /// Frequencies of all curves' values in Hz.
    let frequencies: [Double]
    /// Range of values in dB.
    let range: ClosedRange<Double>
    let step: Double
    let curves: [Curve]

    private static let size = (width: 460.0, height: 290.0)
    private static let frame = (left: 40.0, right: 452.0, top: 30.0, bottom: 252.0)
    private static let octaves: [(Double, String)] = [
        (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"), (5000, "5k"), (10_000, "10k"),
    ]

    private func x(_ frequency: Double) -> Double {
        let share = log(frequency / 70) / log(16_000.0 / 70)
        return Self.frame.left + share * (Self.frame.right - Self.frame.left)
    }

    private func y(_ value: Double) -> Double {
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Self.frame.bottom - share * (Self.frame.bottom - Self.frame.top)
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

    var svg: String {
        let frame = Self.frame
        var parts = [
            "<svg viewBox=\"0 0 \(Int(clamping: Self.size.width)) \(Int(clamping: Self.size.height))\" role=\"img\" "
                + "aria-label=\"\(title)\">",
            "<text class=\"title\" x=\"\(frame.left)\" y=\"16\">\(title)</text>",
        ]
        for value in stride(from: range.lowerBound, through: range.upperBound + step / 10, by: step) {
            let height = Self.number(y(value))
            parts.append("<path class=\"grid\" d=\"M\(frame.left) \(height)H\(frame.right)\"/>")
            parts.append(
                "<text class=\"end\" x=\"\(frame.left - 6)\" y=\"\(Self.number(y(value) + 4))\">\(label(value))</text>")
        }
        for (frequency, text) in Self.octaves {
            let place = Self.number(x(frequency))
            parts.append("<path class=\"grid\" d=\"M\(place) \(frame.top)V\(frame.bottom)\"/>")
            parts.append("<text class=\"middle\" x=\"\(place)\" y=\"\(frame.bottom + 16)\">\(text)</text>")
        }
        parts.append("<text class=\"end\" x=\"\(frame.right)\" y=\"\(frame.bottom + 33)\">Hz</text>")
        parts.append("<text class=\"end\" x=\"\(frame.left - 6)\" y=\"16\">dB</text>")
        // A nested SVG clips curves at the edge of the range.
        let (width, height) = (frame.right - frame.left, frame.bottom - frame.top)
        parts.append(
            "<svg x=\"\(frame.left)\" y=\"\(frame.top)\" width=\"\(width)\" height=\"\(height)\" "
                + "viewBox=\"\(frame.left) \(frame.top) \(width) \(height)\">")
        parts += curves.map(line) + ["</svg>"]
        return parts.joined(separator: "\n") + "\n</svg>"
    }

    private func label(_ value: Double) -> String {
        // Uses a typographic minus sign.
        (value < 0 ? "\u{2212}" : "") + String(format: step < 1 ? "%.1f" : "%.0f", abs(value))
    }

    private func line(_ curve: Curve) -> String {
        let places = zip(frequencies, curve.values).filter { $0.1.isFinite }.map { (x: x($0.0), y: y($0.1)) }
        let points = places.map { "\(Self.number($0.x)),\(Self.number($0.y))" }
        // Markers of curves that coincide lie beside one another.
        let markers = places.enumerated().filter { $0.offset % Self.markerInterval == curve.number % Self.markerInterval }
            .map { PlotMarker.svg(curve.number, colour: curve.colour, x: $0.element.x, y: $0.element.y) }
        return "<g><title>\(curve.name)</title><polyline class=\"curve c\(curve.colour)\" points=\"\(points.joined(separator: " "))\"/>"
            + markers.joined() + "</g>"
    }
}

/// Shapes that distinguish curves without colour.
enum PlotMarker {
    /// SVG paths around the origin, 8 units wide.
    private static let shapes = [
        "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-3.5-3.5h7v7h-7z", "M0-4.5L4.5 3.5h-9z", "M0-5L5 0L0 5L-5 0z", "M-4-4L4 4M4-4L-4 4",
        "M0-5V5M-5 0H5", "M0 4.5L4.5-3.5h-9z", "M0-5V5M-4.3-2.5L4.3 2.5M4.3-2.5L-4.3 2.5",
    ]

    /// - Parameters:
    ///   - number: of the curve, from 0.
    ///   - colour: number of the page's colour.
    /// - Returns: an SVG element.
    static func svg(_ number: Int, colour: Int, x: Double, y: Double) -> String {
        let place = String(format: "%.1f %.1f", x, y)
        return "<path class=\"marker c\(colour)\" transform=\"translate(\(place))\" d=\"\(shapes[number % shapes.count])\"/>"
    }
}

/// Style of the report, which is in `web/report/report.css`.
enum ReportStyle {
    /// Number of methods with a colour of their own.
    static let colours = 8
}
