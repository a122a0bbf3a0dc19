/// A file that is not one of budgets.
package struct BudgetFileError: Error, CustomStringConvertible {
    package let path: String

    package var description: String {
        "\(path) is not a file of budgets: it needs \"unit\", \"counts\" and \"ratios\"; --record-thresholds writes one"
    }
}
