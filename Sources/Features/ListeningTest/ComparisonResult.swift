import Foundation

/// Outcome of an A/B/X test: the number of right answers, and the probability of at least as many by guessing.
public struct ComparisonResult: Sendable, Equatable {
    public let right: Int
    public let answered: Int

    public init(right: Int, answered: Int) { (self.right, self.answered) = (right, answered) }

    /// Probability of at least as many right answers by guessing: the upper tail of the binomial distribution with a share of one half.
    public var guessing: Double {
        guard right > 0 else { return 1 }
        func logChoose(_ k: Int) -> Double {
            lgamma(Double(answered) + 1) - lgamma(Double(k) + 1) - lgamma(Double(answered - k) + 1) - Double(answered) * log(2)
        }
        return min(1, (right...max(right, answered)).reduce(0) { $0 + exp(logChoose($1)) })
    }

    /// A sentence for a person.
    public func words(_ methods: [String]) -> String {
        guard answered > 0 else { return "nothing was answered" }
        let percent = String(format: guessing < 0.01 ? "%.2g" : "%.1f", guessing * 100)
        return "\(right) of \(answered) correct (\(methods.joined(separator: " against "))); probability of at least as many by guessing: "
            + "\(percent) %"
    }
}
