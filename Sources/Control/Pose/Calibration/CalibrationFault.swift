/// Reason for a failed calibration, described for the user.
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
        case .noYaw: "this tracker reports only tilt, not direction, and cannot be calibrated"
        case .smallTurn(let step, let degrees):
            "looking \(step) turned the tracker by only \(Int(clamping: degrees.rounded())) degrees; turn by 45 degrees or more"
        case .askew(let step):
            "looking \(step) did not turn the tracker about a single axis; turn straight \(step) without tilting your head"
        case .sameAxis: "looking left and looking up turned the tracker about the same axis; start again"
        case .tooLong(let step): "no still pose was detected while looking \(step); start again"
        case .silent: "no poses were received from the tracker; check that it is switched on"
        }
    }
}
