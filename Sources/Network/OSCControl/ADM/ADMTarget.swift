/// One ADM-OSC address and its meaning.
struct ADMTarget {
    enum Meaning: Equatable {
        /// A property of an object, counted from 0.
        case object(Int, ADMWord)
        /// `/adm/lis/xyz`: the place of the first listener.
        case listener
        /// `/adm/env/change`: recalls a scene by name.
        case change
    }

    let address: String
    let meaning: Meaning

    /// Returns all addresses for a number of objects.
    static func all(objects: Int) -> [ADMTarget] {
        (0..<objects).flatMap { object in
            ADMWord.allCases.map { ADMTarget(address: "\(place)/\(object + 1)/\($0)", meaning: .object(object, $0)) }
        } + [ADMTarget(address: root + "/lis/xyz", meaning: .listener), ADMTarget(address: root + "/env/change", meaning: .change)]
    }

    /// Common prefix of all addresses.
    static let root = "/adm"
    private static let place = root + "/obj"
}
