/// Trackers attached as devices or used through the web page.
extension TrackerProfile {
    private static let angles: [TrackerForm.Field] = [.yaw, .pitch, .roll]
    private static let wxyz: [TrackerForm.Field] = [.w, .x, .y, .z]

    static let devices: [TrackerProfile] = [
        device(
            TrackerProfile(
                "web", "A phone or page in a browser", port: nil, .code, "The page at /phone. Uses Vestibule's axes.",
                [TrackerForm([], wxyz)]), .web),
        device(
            TrackerProfile(
                "bno055", "A BNO055 board on a serial line", port: nil, .general,
                "18 characters: yaw, pitch and roll with 6 each. The chip's yaw is positive to the right. Calibrate before use.",
                [TrackerForm([], angles, negated: [.yaw], datagram: .eighteen)]), .serial, baud: 9600),
        device(
            TrackerProfile(
                "serial-ypr", "Lines of yaw,pitch,roll on a serial line", port: nil, .general,
                "Degrees, separated by any text. Calibrate before use. Example with another bit rate: serial-ypr:/dev/ttyUSB0,57600.",
                [TrackerForm([], angles, datagram: .line)]), .serial, baud: 115_200),
        device(
            TrackerProfile(
                "serial-quaternion", "Lines of w,x,y,z on a serial line", port: nil, .general,
                "Separated by any text. Calibrate before use.", [TrackerForm([], wxyz, datagram: .line)]), .serial,
            baud: 115_200),
        device(
            TrackerProfile(
                "supperware", "Supperware Head Tracker 1 (USB-MIDI)", port: nil, .code,
                "Switched on at 100 poses per second when attached, and off when detached.",
                [
                    TrackerForm([], wxyz, axes: [.y, .minusX, .z], datagram: .supperwareQuaternion),
                    TrackerForm([], angles, unit: .radians, datagram: .supperwareAngles),
                ]), .midi, name: "Head Tracker"),
        device(
            TrackerProfile(
                "mrheadtracker", "MrHeadTracker (USB-MIDI), quaternions", port: nil, .thirdParty,
                "Programs that read it disagree about the signs. Calibrate before use.",
                [TrackerForm([], wxyz, axes: [.minusX, .minusY, .z], datagram: .controllers)]), .midi, name: "MrHeadTracker"),
        device(
            TrackerProfile(
                "ble-quaternion", "A Bluetooth LE tracker that notifies four floats", port: nil, .general,
                "w x y z, little-endian, over Nordic's UART. Specify the device's address or name. Other layouts need a "
                    + "profile of your own.",
                [TrackerForm([], wxyz, datagram: .float32LE)]), .bluetooth,
            characteristic: "6e400003-b5a3-f393-e0a9-e50e24dcca9e"),
    ]

    private static func device(
        _ profile: TrackerProfile, _ transport: Transport, name: String? = nil, baud: Int? = nil, characteristic: String? = nil
    ) -> TrackerProfile {
        var profile = profile
        profile.transport = transport
        (profile.attachment, profile.baud, profile.characteristic) = (name, baud, characteristic)
        return profile
    }
}
