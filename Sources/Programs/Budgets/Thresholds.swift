package import FileOutput
import Files
import Foundation

/// Budgets from a file: the largest ratio to the reference loop for each timed result, and the largest of all counts.
package struct Thresholds: Codable {
    /// The loop that the ratios refer to.
    package static let reference = "plain C loop, one listener, nothing shared"

    /// Unit of the ratios, for readers of the file.
    package var unit = "times the nanoseconds per frame of the reference loop (\(Self.reference)), measured beside each group"
    /// Largest number of allocations, locks, system calls and lost messages, each by itself.
    package var counts = 0.0
    /// Largest ratios by name of the result.
    package var ratios: [String: Double]

    /// - Parameter measured: ratio of each result, by name.
    /// - Parameter margin: how much slower than measured a result may become.
    package init(measured: [String: Double], margin: Double) {
        ratios = measured.mapValues { ratio in
            let limit = ratio * margin
            // Measurements are accurate to three digits at most.
            let places = 2 - Foundation.log10(limit).rounded(.down)
            let scale = Foundation.pow(10, abs(places))
            // A quotient is the nearest number to its three digits, a product with a fraction is not.
            return places > 0 ? (limit * scale).rounded(.up) / scale : (limit / scale).rounded(.up) * scale
        }
    }

    /// - Throws: an error when the file cannot be read or decoded.
    package init(path: String) throws {
        let data = try Data(RegularFile(path).bytes(atMost: RegularFile.largestText))
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch {
            throw BudgetFileError(path: path)
        }
    }

    /// Writes the budgets to a file that was opened for them, and finishes it.
    package func write(to output: OutputFile) throws {
        try output.write([UInt8](JSONEncoder.file.encode(self)) + [UInt8(ascii: "\n")])
        try output.finish()
    }
}
