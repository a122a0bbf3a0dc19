internal import Foundation

/// Motion-to-sound latency of the same poses, as measured in the recorded sound and as reported by telemetry.
public struct LatencyMeasurement: Sendable {
    public struct Step: Sendable {
        /// Time of sending the pose, in seconds after the first step.
        public var sent: Double
        /// Milliseconds from sending the pose to the first frame that changed.
        public var heard: Double
        /// The same as telemetry reported it, milliseconds.
        public var told: Double
        /// Time from the start of a block's rendering to its output that telemetry assumed, milliseconds; 0 for an exact schedule.
        public var delay: Double

        public init(sent: Double, heard: Double, told: Double, delay: Double = 0) {
            self.delay = delay
            self.sent = sent
            self.heard = heard
            self.told = told
        }
    }

    /// Order statistics in milliseconds.
    public struct Summary: Sendable, Encodable, Equatable {
        public let min, median, p95, p99, max: Double

        init(_ values: [Double]) {
            let sorted = values.sorted()
            func rank(_ share: Double) -> Double {
                sorted.isEmpty ? 0 : sorted[Swift.max(0, Int(clamping: (share * Double(sorted.count)).rounded(.up)) - 1)]
            }
            let values = [0, 0.5, 0.95, 0.99, 1].map { rank($0).rounded(decimals: 4) }
            (min, median, p95, p99, max) = (values[0], values[1], values[2], values[3], values[4])
        }
    }

    public let steps: [Step]
    /// Number of steps whose change was not found.
    public let missed: Int
    /// Blocks that reached the device too late during the measurement; telemetry of poses around them may be wrong.
    public let xruns: Int
    public let heard: Summary
    public let told: Summary
    /// Difference between the measured and the reported latency of the same pose.
    public let difference: Summary
    /// Measured time from the start of a block's rendering to its output, which telemetry may have assumed differently; milliseconds.
    public let delay: Summary

    public init(_ steps: [Step], missed: Int, xruns: Int = 0) {
        self.steps = steps
        self.xruns = xruns
        self.missed = missed
        heard = Summary(steps.map(\.heard))
        told = Summary(steps.map(\.told))
        difference = Summary(steps.map { $0.heard - $0.told })
        delay = Summary(steps.map { $0.heard - $0.told + $0.delay })
    }

    public var csv: String {
        var table = CSVTable(["step", "sent_s", "heard_ms", "told_ms"])
        for (index, step) in steps.enumerated() {
            table.add(
                "\(index + 1)", CSVTable.number(step.sent), CSVTable.number(step.heard), CSVTable.number(step.told))
        }
        return table.text
    }

    /// - Parameter setting: description of what was measured.
    public func json(_ setting: [String: String]) -> String {
        struct Report: Encodable {
            let setting: [String: String]
            let steps, missed, xruns: Int
            let heard, told, difference: Summary
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let report = Report(
            setting: setting, steps: steps.count, missed: missed, xruns: xruns, heard: heard, told: told, difference: difference)
        return String(decoding: (try? encoder.encode(report)) ?? Data(), as: UTF8.self) + "\n"
    }

    /// Draws the shares of steps that were heard, and reported, within a number of milliseconds.
    public func svg(title: String) -> String {
        let (width, height) = (560.0, 320.0)
        let frame = (left: 44.0, right: 540.0, top: 40.0, bottom: 268.0)
        let all = steps.flatMap { [$0.heard, $0.told] }
        let low = (all.min() ?? 0).rounded(.down)
        let high = Swift.max(low + 1, (all.max() ?? 1).rounded(.up))
        func x(_ value: Double) -> Double { frame.left + (value - low) / (high - low) * (frame.right - frame.left) }
        func y(_ share: Double) -> Double { frame.bottom - share * (frame.bottom - frame.top) }
        func number(_ value: Double) -> String { String(format: "%.1f", value) }
        func curve(_ values: [Double], _ style: String) -> String {
            let sorted = values.sorted()
            var path = "M\(number(x(low))) \(number(y(0)))"
            for (index, value) in sorted.enumerated() {
                path += "H\(number(x(value)))V\(number(y(Double(index + 1) / Double(sorted.count))))"
            }
            return "<path d=\"\(path)H\(number(x(high)))\" fill=\"none\" \(style)/>"
        }
        func text(_ x: Double, _ y: Double, _ words: String, _ anchor: String = "start") -> String {
            "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(words)</text>"
        }
        let plain = title.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(clamping: width)) \(Int(clamping: height))\" role=\"img\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<title>\(plain)</title><rect width=\"100%\" height=\"100%\" fill=\"white\"/>", text(frame.left, 22, plain),
        ]
        for share in [0, 0.5, 0.95, 1] {
            parts.append("<path d=\"M\(frame.left) \(number(y(share)))H\(frame.right)\" stroke=\"#ccc\"/>")
            parts.append(text(frame.left - 6, y(share) + 4, "\(Int(clamping: share * 100)) %", "end"))
        }
        let step = [1, 2, 5, 10, 20, 50, 100, 200].first { (high - low) / $0 <= 10 } ?? 500
        for value in stride(from: (low / step).rounded(.up) * step, through: high, by: step) {
            parts.append(
                "<path d=\"M\(number(x(value))) \(frame.bottom)v5\" stroke=\"#888\"/>"
                    + text(x(value), frame.bottom + 19, "\(Int(clamping: value))", "middle"))
        }
        parts.append(text(frame.right, frame.bottom + 36, "motion-to-sound latency, ms", "end"))
        parts.append(curve(steps.map(\.told), "stroke=\"#c60\" stroke-width=\"3\" stroke-opacity=\"0.6\""))
        parts.append(curve(steps.map(\.heard), "stroke=\"black\" stroke-width=\"1.5\""))
        parts.append("<path d=\"M\(frame.left) 300h24\" stroke=\"black\" stroke-width=\"1.5\"/>" + text(frame.left + 30, 304, "measured"))
        parts.append(
            "<path d=\"M\(frame.left + 90) 300h24\" stroke=\"#c60\" stroke-width=\"3\" stroke-opacity=\"0.6\"/>"
                + text(frame.left + 120, 304, "reported by telemetry"))
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }
}
