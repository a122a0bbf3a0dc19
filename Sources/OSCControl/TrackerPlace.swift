/// Where a tracker's poses come from.
public enum TrackerPlace: Sendable, Equatable {
    /// A UDP port of its own; 0 takes any free one.
    case port(UInt16)
    /// The OSC port, among everything else.
    case oscPort
    /// The reading end of a pair of sockets whose other end a device's thread writes to; it is closed when the tracker goes.
    case descriptor(Int32)
    /// ``OSCReceiver/feed(_:_:receiveTime:)``.
    case fed
}
