/// One address of ADM-OSC, and what it means.
struct ADMTarget {
    enum Meaning: Equatable {
        /// Of an object, counted from 0.
        case object(Int, ADMWord)
        /// `/adm/env/change`: a scene is recalled by its name.
        case change
    }

    let address: String
    let meaning: Meaning

    /// Every address there is with so many objects.
    static func all(objects: Int) -> [ADMTarget] {
        (0..<objects).flatMap { object in
            ADMWord.allCases.map { ADMTarget(address: "\(place)/\(object + 1)/\($0)", meaning: .object(object, $0)) }
        } + [ADMTarget(address: "/adm/env/change", meaning: .change)]
    }

    /// What every address begins with.
    static let root = "/adm"
    private static let place = root + "/obj"
}
