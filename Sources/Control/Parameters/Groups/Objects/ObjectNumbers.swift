/// Numbers of sound objects as a text: "1-8,12".
public enum ObjectNumbers {
    /// - Parameter objects: counted from 0.
    public static func text(_ objects: Set<Int>) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in objects.map({ $0 + 1 }).sorted() {
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// - Returns: objects counted from 0; nil for a text of another form, or a number that is not from 1 to `most`.
    public static func objects(_ text: String, most: Int) -> Set<Int>? {
        var objects: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { word in
                Int(word.trimmingPrefix { $0 == " " }.prefix { $0 != " " })
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first >= 1, first <= last,
                last <= most
            else { return nil }
            objects.formUnion(first - 1...last - 1)
        }
        return objects
    }
}
