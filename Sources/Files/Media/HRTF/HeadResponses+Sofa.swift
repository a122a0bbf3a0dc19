internal import Binaural

/// The contents of a SOFA file as responses, every number within its range.
extension HeadResponses {
    /// Largest delay of an ear in seconds, positive or negative.
    private static let longestDelay: Float = 1

    /// - Throws: ``SofaRefusal`` naming what is missing, not used, or out of its range.
    init(_ tables: SofaTables) throws(SofaRefusal) {
        try SofaConvention.check(tables)
        let sound = try SofaSound(tables)
        let directions = try SofaDirections(tables, count: sound.count)
        let delays = try Self.delays(tables, sound)
        let order = try SofaEars(tables).areSwapped ? [1, 0] : [0, 1]
        let ears = order.map { ear -> [Float] in
            (0..<sound.count).flatMap { direction -> ArraySlice<Float> in
                let start = (2 * direction + ear) * sound.length
                return sound.samples[start..<start + sound.length]
            }
        }
        self.init(
            rate: Double(sound.rate), length: sound.length, azimuths: directions.azimuths, elevations: directions.elevations,
            left: ears[0], right: ears[1], delays: order.map { delays[$0] })
    }

    /// The additional delays of both receivers in samples, none if the file has none.
    private static func delays(_ tables: SofaTables, _ sound: SofaSound) throws(SofaRefusal) -> [[Double]] {
        let count = sound.count
        guard let variable = try tables.variable("Data.Delay") else { return .init(repeating: .init(repeating: 0, count: count), count: 2) }
        let scale = variable.units == "s" || variable.units.hasPrefix("second") ? sound.rate : 1
        let values = variable.values.map { scale * $0 }
        try SofaRange.check(values, "a delay", -longestDelay * sound.rate...longestDelay * sound.rate, "samples") {
            "value \($0 + 1) of Data.Delay"
        }
        let steps: (direction: Int, ear: Int)
        switch (variable.sizes(atLeast: 2), values.count) {
        case (_, 1): steps = (0, 0)
        case ([count, 2], 2 * count): steps = (2, 1)
        case (_, 2): steps = (0, 1)
        case ([count, 1], count), ([count], count): steps = (1, 0)
        default:
            throw .unusable(
                "its variable Data.Delay has the sizes \(variable.extent), but must have a delay for each ear, in all or in each of "
                    + "\(counted(count, "direction"))")
        }
        return (0..<2).map { ear in (0..<count).map { Double(values[$0 * steps.direction + ear * steps.ear]) } }
    }
}

/// Conventions of SOFA (AES69): which of them are HRTFs that this program uses, and what the others are.
enum SofaConvention {
    /// Conventions that are HRTFs by definition: an impulse response, or a transfer function, for every direction and ear.
    private static let heads: Set = ["SimpleFreeFieldHRIR", "SimpleFreeFieldHRTF", "SimpleFreeFieldTF"]
    /// Conventions that hold an HRTF if there are two ears and no room.
    private static let general: Set = ["GeneralFIR", "GeneralTF"]

    /// Contents of files of other conventions, and what to do instead.
    private static let others: [String: (content: String, remedy: String)] = [
        "GeneralFIR-E": ("responses of several emitters, not of a head alone", SofaRefusal.convert),
        "GeneralFIRE": ("responses of several emitters, not of a head alone", SofaRefusal.convert),
        "GeneralTF-E": ("transfer functions of several emitters, not of a head alone", SofaRefusal.convert),
        "GeneralSOS": ("second-order sections instead of impulse responses", SofaRefusal.convert),
        "SimpleFreeFieldHRSOS": ("an HRTF as second-order sections instead of impulse responses", SofaRefusal.convert),
        "SimpleFreeFieldSOS": ("an HRTF as second-order sections instead of impulse responses", SofaRefusal.convert),
        "FreeFieldHRIR": ("an HRTF as spherical harmonics instead of directions", SofaRefusal.convert),
        "FreeFieldHRTF": ("an HRTF as spherical harmonics instead of directions", SofaRefusal.convert),
        "SimpleHeadphoneIR": ("responses of headphones, not of a head to directions", SofaRefusal.another),
        "SingleRoomDRIR": ("directional responses of a room, not of a head in a free field", SofaRefusal.another),
        "SingleRoomSRIR": ("spatial responses of a room, not of a head in a free field", SofaRefusal.another),
        "SingleRoomMIMOSRIR": ("spatial responses of a room, not of a head in a free field", SofaRefusal.another),
        "MultiSpeakerBRIR": ("binaural responses of loudspeakers in a room, not of a head in a free field", SofaRefusal.another),
        "FreeFieldDirectivityTF": ("the directivity of a sound source, not the responses of a head", SofaRefusal.another),
        "AnnotatedReceiverAudio": ("recorded sound, not the responses of a head", SofaRefusal.another),
        "AnnotatedEmitterAudio": ("recorded sound, not the responses of a head", SofaRefusal.another),
        "SingleTrackedAudio": ("recorded sound, not the responses of a head", SofaRefusal.another),
    ]

    /// - Throws: ``SofaRefusal`` for files that are not SOFA, and for conventions that are not used.
    static func check(_ tables: SofaTables) throws(SofaRefusal) {
        let name = tables.convention
        if heads.contains(name) { return }
        if general.contains(name) {
            let room = tables.roomType.lowercased()
            guard room.isEmpty || room.contains("free") else {
                throw .unusable(
                    "it has the convention \(name) with the room \"\(tables.roomType)\": responses of a room, not of a head in a free field",
                    SofaRefusal.another)
            }
            guard try SofaEars(tables).areOpposite else {
                throw .unusable(
                    "it has the convention \(name), and its ReceiverPosition does not have a left and a right ear", SofaRefusal.convert)
            }
            return
        }
        if let other = others[name] { throw .unusable("it has the convention \(name): \(other.content)", other.remedy) }
        guard name.isEmpty else {
            throw .unusable("it has the convention \(name), which this program does not know as one of an HRTF", SofaRefusal.convert)
        }
        guard tables.conventions.uppercased() == "SOFA" else {
            let found = tables.conventions.isEmpty ? "missing" : "\"\(tables.conventions)\""
            throw .unusable("it is an HDF5 file, but not a SOFA file: its attribute Conventions is \(found)", "Name a SOFA file.")
        }
        throw .unusable("its attribute SOFAConventions is missing or empty", "Write \"SimpleFreeFieldHRIR\" into it if that is what it is.")
    }
}
