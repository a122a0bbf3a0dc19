internal import Foundation
internal import Parameters

extension ParameterValue {
    /// The value with its text in the composed form of Unicode (NFC): names come from people and from macOS in different forms, and clients
    /// compare them by their bytes.
    var composed: ParameterValue {
        guard case .text(let text) = self, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        return .text(text.precomposedStringWithCanonicalMapping)
    }
}
