/// Why a calibration came to nothing, for the person who made it.
public enum CalibrationFault: Error, Equatable, Sendable, CustomStringConvertible {
    case noYaw
    /// Degrees.
    case smallTurn(String, Double)
    case askew(String)
    case sameAxis
    case tooLong(String)
    case silent

    public var description: String {
        switch self {
        case .noYaw: "this tracker does not say where the head looks, only how it is tilted; there is nothing to find"
        case .smallTurn(let step, let degrees):
            "looking \(step) turned the tracker by \(Int(degrees.rounded())) degrees only; turn farther, 45 degrees or more"
        case .askew(let step): "looking \(step) was no turn about one axis; turn straight \(step), without tilting the head"
        case .sameAxis: "looking left and looking up turned the tracker about the same axis; begin again"
        case .tooLong(let step): "nothing was seen of a head that looks \(step) and holds still; begin again"
        case .silent: "the tracker sends nothing; is it on?"
        }
    }
}
