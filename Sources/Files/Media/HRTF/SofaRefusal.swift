/// Reason why a SOFA file is not used, and what helps.
struct SofaRefusal: Error, Equatable {
    /// A clause without a full stop.
    let reason: String
    /// Whole sentences.
    let remedy: String
    /// True only where damage was found, rather than a content that this program does not use.
    let isDamage: Bool

    static let convert = "Convert it to SimpleFreeFieldHRIR, for example with SOFAtoolbox or sofar, or use another file."
    static let another = "Use a file of the convention SimpleFreeFieldHRIR or SimpleFreeFieldHRTF."
    static let copy = "Copy it again, or use another file."

    static func unusable(_ reason: String, _ remedy: String = convert) -> SofaRefusal {
        SofaRefusal(reason: reason, remedy: remedy, isDamage: false)
    }

    static func damaged(_ reason: String, _ remedy: String = copy) -> SofaRefusal {
        SofaRefusal(reason: reason, remedy: remedy, isDamage: true)
    }

    /// The error about the file at a path.
    func error(_ path: String) -> MediaError {
        MediaError("\(path) \(isDamage ? "is damaged" : "cannot be used"): \(reason). \(remedy)")
    }
}
