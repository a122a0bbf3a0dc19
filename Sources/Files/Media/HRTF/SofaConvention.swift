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
