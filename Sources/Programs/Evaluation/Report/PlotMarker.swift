internal import Foundation

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
