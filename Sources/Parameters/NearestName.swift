/// The name a person most likely meant.
public enum NearestName {
    /// The candidate with the smallest edit distance, if that is at most a third of the name's length;
    /// capitals count as small letters.
    public static func find(_ name: String, among candidates: [String]) -> String? {
        let letters = Array(name.lowercased().utf8)
        let most = max(2, letters.count / 3)
        // What is longer or shorter by more than that is farther away.
        let nearest = candidates.filter { abs($0.utf8.count - letters.count) <= most }
            .map { ($0, distance(letters, Array($0.lowercased().utf8))) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= most else { return nil }
        return nearest.0
    }

    /// Levenshtein's distance: letters to insert, delete or replace.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
