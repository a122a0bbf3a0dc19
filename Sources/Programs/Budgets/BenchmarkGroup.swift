/// A group of results measured together, between two runs of the reference loop.
package struct BenchmarkGroup {
    package let name: String
    package let measure: () throws -> [BenchmarkResult]

    package init(_ name: String, _ measure: @escaping () throws -> [BenchmarkResult]) {
        (self.name, self.measure) = (name, measure)
    }
}
