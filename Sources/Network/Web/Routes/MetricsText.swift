package import Hub

/// Writes Prometheus' text format, version 0.0.4.
package struct MetricsText {
    package private(set) var text = ""

    package init() {}

    package mutating func counter(_ name: String, _ help: String, _ value: Double) { one(name, help, "counter", value) }

    package mutating func gauge(_ name: String, _ help: String, _ value: Double) { one(name, help, "gauge", value) }

    private mutating func one(_ name: String, _ help: String, _ type: String, _ value: Double) {
        head(name, help, type)
        text += "\(name) \(Self.number(value))\n"
    }

    /// One line for each value of a label; nothing when there is none.
    package mutating func family(
        _ name: String, _ help: String, _ type: String, label: String, _ values: [(label: String, value: Double)]
    ) {
        guard !values.isEmpty else { return }
        head(name, help, type)
        for entry in values { text += "\(name){\(label)=\"\(entry.label)\"} \(Self.number(entry.value))\n" }
    }

    /// Lines with several labels each, in Prometheus' notation.
    package mutating func gauges(_ name: String, _ help: String, _ lines: [(labels: String, value: Double)]) {
        guard !lines.isEmpty else { return }
        head(name, help, "gauge")
        for line in lines { text += "\(name){\(line.labels)} \(Self.number(line.value))\n" }
    }

    package mutating func histogram(_ name: String, _ help: String, _ histogram: DurationHistogram) {
        head(name, help, "histogram")
        for (bound, count) in zip(histogram.bounds, histogram.cumulative) {
            text += "\(name)_bucket{le=\"\(Self.number(bound))\"} \(count)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(Self.number(histogram.sum))\n\(name)_count \(histogram.count)\n"
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// A number; whole numbers without a decimal point, values of single precision without more digits than they have, and others
    /// to a billionth.
    private static func number(_ value: Double) -> String {
        if value == value.rounded() && abs(value) < 1e15 { return "\(Int(clamping: value))" }
        return value == Double(Float(value)) ? "\(Float(value))" : "\(value.rounded(decimals: 9))"
    }
}
