/// Search for the name that a misspelt one most likely stands for.
public enum NearestName {
    /// Returns the candidate with the smallest edit distance if that is at most a third of the name's length; letter case
    /// is ignored.
    public static func find(_ name: String, among candidates: [String]) -> String? {
        let letters = Array(name.lowercased().utf8)
        let most = max(2, letters.count / 3)
        var nearest: (name: String, distance: Int)?
        // Names that are longer or shorter by more than that have a larger distance.
        for candidate in candidates where abs(candidate.utf8.count - letters.count) <= most {
            let nearer = (nearest?.distance ?? most + 1) - 1
            if let distance = distance(letters, Array(candidate.lowercased().utf8), most: nearer) { nearest = (candidate, distance) }
        }
        return nearest?.name
    }

    /// Levenshtein distance: the number of letters to insert, delete or replace.
    /// - Parameter most: a limit; nil is returned for a larger distance.
    static func distance(_ a: [UInt8], _ b: [UInt8], most: Int) -> Int? {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            var least = row[0]
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
                least = min(least, row[j + 1])
            }
            // No later row has a number below the smallest of this one.
            if least > most { return nil }
        }
        return row[b.count] <= most ? row[b.count] : nil
    }
}
