internal import Specification

/// Declaration of a file that an effect reads, such as an impulse response.
public struct EffectFile: Sendable {
    /// Name in addresses and files.
    let name: String
    let spec: ParameterSpec

    public init(_ name: String, title: String, _ summary: String) {
        self.name = name
        spec = .text(title, summary)
    }
}
