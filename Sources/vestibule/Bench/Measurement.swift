/// One line of the benchmark's table.
struct Measurement: Encodable {
    let name: String
    let value: Double
    let unit: String
    /// What the value should be, where the project has set itself a figure.
    var budget: Double?
    /// What it is compared with, where something ran beside it: the other's value, in the same unit.
    var beside: Double?
    var besideName: String?
}
