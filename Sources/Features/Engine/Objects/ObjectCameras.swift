package import Crossing

/// Microphones of phones and browsers, as sounds of objects: `camera:` and the name of the client that offers one.
///
/// Another part of the program receives them; without it there are none. Used on the control thread only.
package final class ObjectCameras {
    /// Takes what is received for an object: one channel at the engine's rate, and whether it may be heard.
    package typealias Delivery = (_ frames: consuming FrameRing.Consumer, _ isOpen: consuming Switch.Realtime) -> Void

    /// Prefix of such a source.
    package static let prefix = "camera:"

    /// Names of all clients that offer sound.
    package var names: () -> [String] = { [] }
    /// Begins to receive for an object, instead of its previous source; calls the last argument once. Nil without cameras.
    package var receive: ((_ object: Int, _ name: String, Delivery) -> Void)?
    /// Ends receiving for an object.
    package var release: (_ object: Int) -> Void = { _ in }
    /// State of an object's sound, for a person to read.
    package var state: (_ object: Int) -> String = { _ in "" }

    /// The name in a source; nil for one of another kind.
    static func name(in source: String) -> String? {
        source.hasPrefix(prefix) ? String(source.dropFirst(prefix.count)) : nil
    }
}
