extension TrackerProfile {
    private static let angles: [TrackerForm.Field] = [.yaw, .pitch, .roll]
    private static let wxyz: [TrackerForm.Field] = [.w, .x, .y, .z]
    private static let xyzw: [TrackerForm.Field] = [.x, .y, .z, .w]
    private static let numbers: [TrackerForm.Field] = [.number, .number, .number]
    private static let place: [TrackerForm.Field] = [.front, .left, .up]
    /// Unity's axes: x right, y up, z front, left-handed.
    private static let unityAxes: [SignedAxis] = [.minusZ, .x, .minusY]
    /// Axes of a phone that lies flat with its top edge forward: x right, y front, z up.
    private static let phoneAxes: [SignedAxis] = [.y, .minusX, .z]

    private static func each(_ prefix: String, _ names: [String]) -> [String] { names.map { prefix + $0 } }

    /// All built-in profiles. When several have the same address, the first one is assumed.
    public static let table: [TrackerProfile] = plugIns + applications + phones + morePlugIns + devices

    // MARK: Plug-ins and renderers

    private static let plugIns: [TrackerProfile] = [
        TrackerProfile(
            "adm-osc", "ADM-OSC", port: 4001, .documentation, "Uses Vestibule's sign conventions.",
            [
                TrackerForm(["/adm/lis/ypr"], angles),
                TrackerForm(each("/adm/lis/", ["yaw", "pitch", "roll"]), angles),
            ]),
        TrackerProfile(
            "iem", "IEM SceneRotator", port: 7000, .code,
            "Sends the rotation of the scene, which is the inverse of the head's, in the plug-in's default order. The "
                + "port is freely chosen.",
            [
                TrackerForm(["/SceneRotator/ypr"], angles, negated: [.pitch], meaning: .scene),
                TrackerForm(["/SceneRotator/quaternions"], wxyz, meaning: .scene),
                TrackerForm(
                    each("/SceneRotator/", ["yaw", "pitch", "roll"]), angles, negated: [.pitch], meaning: .scene),
                TrackerForm(each("/SceneRotator/", ["qw", "qx", "qy", "qz"]), wxyz, meaning: .scene),
            ]),
        TrackerProfile(
            "sparta", "SPARTA rotator, ambiBIN, binauraliser, 6DoFconv", port: 9000, .derived,
            "Quaternions are read as rotations of the scene, as in other programs; SPARTA's two implementations disagree.",
            [
                TrackerForm(["/ypr"], angles, negated: [.pitch]),
                TrackerForm(each("/", ["yaw", "pitch", "roll"]), angles, negated: [.pitch]),
                TrackerForm(["/xyzypr"], place + angles, negated: [.pitch]),
                TrackerForm(["/quaternion"], wxyz, meaning: .scene),
                TrackerForm(["/quat"], wxyz, meaning: .scene),
                TrackerForm(["/xyzquat"], place + wxyz, meaning: .scene),
                TrackerForm(each("/", ["qw", "qx", "qy", "qz"]), wxyz, meaning: .scene),
            ]),
        TrackerProfile(
            "ambix", "ambix_rotator, ambix_move", port: 7120, .thirdParty,
            "ambix_move uses port 7130. Its quaternions are assumed to use Vestibule's axes.",
            [
                TrackerForm(["/rotation"], [.pitch, .yaw, .roll], negated: [.pitch, .roll]),
                TrackerForm(["/head_pose"], [.number] + numbers + [.pitch, .yaw, .roll], negated: [.pitch, .roll]),
                TrackerForm(["/quaternion"], wxyz),
                TrackerForm(["/6dof"], numbers + wxyz),
            ]),
        TrackerProfile(
            "mach1", "Mach1 Monitor, M1-AirPodOSC", port: 9898, .documentation, "M1-orientationmanager uses port 9901.",
            [TrackerForm(["/orientation"], angles, negated: [.yaw])]),
        TrackerProfile(
            "berta", "BeRTA (Binaural Rendering Toolbox)", port: 10017, .documentation, "Radians.",
            [TrackerForm(["/listener/orientation"], [.text] + angles, unit: .radians, negated: [.yaw])]),
        TrackerProfile(
            "3dti", "3D Tune-In Toolkit", port: 12300, .thirdParty, "Radians.",
            [
                TrackerForm(
                    ["/3DTI-OSC/receiver/pry"], [.pitch, .roll, .yaw], unit: .radians, negated: [.yaw])
            ]),
        TrackerProfile(
            "unity", "Unity", port: nil, .thirdParty, "Left-handed axes, y up. No default port: specify one.",
            [TrackerForm(["/quaternions"], wxyz, axes: unityAxes)]),
        TrackerProfile(
            "vrchat", "VRChat OSC trackers", port: 9000, .documentation, "Signs derived from Unity's axes.",
            [TrackerForm(["/tracking/trackers/head/rotation"], [.pitch, .yaw, .roll], negated: [.yaw, .pitch, .roll])]),
    ]

    // MARK: Plug-ins known from third-party sources

    private static let morePlugIns: [TrackerProfile] = [
        TrackerProfile(
            "iem-encoder", "IEM StereoEncoder", port: nil, .thirdParty, "Rotates a source with the head. No default port: specify one.",
            [TrackerForm(each("/StereoEncoder/", ["azimuth", "elevation", "roll"]), angles)]),
        TrackerProfile(
            "salte", "SALTE audio renderer", port: 9000, .general, "Sign conventions are undocumented.",
            [TrackerForm(["/rendering/htrpy"], [.roll, .pitch, .yaw])]),
        TrackerProfile(
            "axrotate", "aXRotate", port: 9001, .general, "Sign conventions are undocumented.",
            [TrackerForm(["/ypr"], angles)]),
        TrackerProfile(
            "ambi-head", "Ambi Head HD", port: 4040, .general,
            "Values 0 to 1 stand for -180 to 180 degrees. Sign conventions are undocumented.",
            [TrackerForm(each("/", ["yaw", "pitch", "roll"]), angles, unit: .normalised)]),
        TrackerProfile(
            "tascar", "TASCAR", port: 9877, .thirdParty,
            "Sources disagree on whether its rotations are left-handed.",
            [TrackerForm(["/*/zyxeuler"], angles, negated: [.pitch])]),
    ]

    // MARK: Trackers and their bridges

    private static let applications: [TrackerProfile] = [
        TrackerProfile(
            "nvsonic", "nvsonic head tracker bridge", port: 8888, .thirdParty,
            "Axes are assumed to be front, right, down; they depend on how the tracker is worn.",
            [TrackerForm(["/bridge/quat"], wxyz, axes: [.x, .minusY, .minusZ])]),
        TrackerProfile(
            "opentrack-osc", "opentrack, output OSC", port: 53101, .derived, "The signs depend on opentrack's mapping.",
            [TrackerForm(["/bridge/quat"], wxyz, axes: [.minusZ, .minusX, .y])]),
        TrackerProfile(
            "opentrack", "opentrack, output UDP (48 bytes)", port: 4242, .general,
            "Sign conventions are undocumented and depend on opentrack's mapping. The position is read as centimetres to the right, up and "
                + "back.",
            [
                TrackerForm(
                    [], [.left, .up, .front] + angles, negated: [.left, .front], datagram: .opentrack, placeScale: 0.01)
            ]),
        TrackerProfile(
            "freepie", "FreePIE UDP (50 bytes)", port: 5555, .general, "Radians. Axes depend on the sending application.",
            [TrackerForm([], angles, unit: .radians, datagram: .freePIE)]),
        TrackerProfile(
            "bridgehead", "Supperware Bridgehead", port: 9000, .derived,
            "Sign conventions of Head Tracker 1; Bridgehead's profile may change them.",
            [
                TrackerForm(["/ypr"], angles),
                TrackerForm(each("/", ["yaw", "pitch", "roll"]), angles),
                TrackerForm(["/quaternion"], wxyz),
            ]),
        TrackerProfile(
            "nxosc", "Waves Nx through NxOSC", port: 8000, .thirdParty,
            "Published converters disagree about roll and the quaternion.",
            [
                TrackerForm(["/nxosc/xyz"], [.pitch, .yaw, .roll], negated: [.pitch, .roll]),
                TrackerForm(["/nxosc/quaternion"], [.y, .z, .x, .w]),
            ]),
        TrackerProfile(
            "hedrot", "hedrot", port: 1001, .general, "Axes and signs are set in its receiver; check them by turning your head.",
            [
                TrackerForm(each("/hedrot/", ["yaw", "pitch", "roll"]), angles),
                TrackerForm(["/hedrot/quaternion"], wxyz),
            ]),
    ]

    // MARK: Phones and earphones

    private static let phones: [TrackerProfile] = [
        TrackerProfile(
            "headitude", "Headitude (AirPods)", port: 3001, .derived,
            "Default template: IEM's address, but with the head's own pose.",
            [TrackerForm(["/SceneRotator/ypr"], angles, negated: [.pitch])]),
        TrackerProfile(
            "gyrosc", "GyrOSC (iOS)", port: nil, .derived,
            "Radians. No default port: specify one. Some programs read its quaternion as w z x y.",
            [
                TrackerForm(["/gyrosc/gyro"], [.pitch, .roll, .yaw], unit: .radians),
                TrackerForm(["/gyrosc/quat"], wxyz, axes: phoneAxes),
            ]),
        TrackerProfile(
            "zigsim", "ZIG SIM (iOS, Android)", port: nil, .documentation,
            "Lay the phone flat on the head, top edge forward. No default port: specify one.",
            [
                TrackerForm(["/ZIGSIM/*/quaternion"], xyzw, axes: phoneAxes),
                TrackerForm(["/*/quaternion"], xyzw, axes: phoneAxes),
            ]),
        TrackerProfile(
            "sensors2osc", "Sensors2OSC (Android)", port: 9000, .thirdParty,
            "Lay the phone flat on the head, top edge forward, then recenter.",
            [
                TrackerForm(["/gamerotationvector"], xyzw, axes: phoneAxes),
                TrackerForm(["/gamerotationvector"], xyzw + [.number], axes: phoneAxes),
                TrackerForm(["/rotationvector"], xyzw, axes: phoneAxes),
                TrackerForm(["/rotationvector"], xyzw + [.number], axes: phoneAxes),
            ]),
        TrackerProfile(
            "touchosc", "TouchOSC (tilt only)", port: nil, .thirdParty,
            "Tilt only: gravity gives pitch and roll, not yaw. Lay the phone flat, top edge forward. No default port: specify one.",
            [TrackerForm(["/accxyz"], [.gravityX, .gravityY, .gravityZ], axes: phoneAxes)]),
    ]
}
