/// Input from which a tracker's poses are received.
public enum TrackerPlace: Sendable, Equatable {
    /// A dedicated UDP port; 0 selects any free one.
    case port(UInt16)
    /// The OSC port, shared with all other messages.
    case oscPort
    /// The reading end of a socket pair to which a device's thread writes; closed when the tracker is detached.
    case descriptor(Int32)
    /// Poses passed to ``OSCReceiver/feed(_:_:receiveTime:)``.
    case fed
}
