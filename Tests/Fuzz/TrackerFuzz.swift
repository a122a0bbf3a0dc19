/// Packets of trackers: datagrams, OSC messages, serial lines and MIDI. Whatever they contain, the pose of a head stays a
/// unit quaternion of finite numbers. The first byte selects the profile, the second the settings, the third the form.
final class TrackerFuzz: FuzzTarget {
    func run(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 3 else { return }
        var tracker = FuzzedTracker(Int(bytes[0]) % FuzzedTracker.count, settings: bytes[1])
        let rest = UnsafeRawBufferPointer(rebasing: bytes[3...])
        switch bytes[2] % 4 {
        case 0: tracker.receive(datagrams: rest)
        case 1: tracker.receive(messages: rest)
        case 2: tracker.receive(stream: rest)
        default: tracker.receive(quaternions: rest)
        }
    }
}
