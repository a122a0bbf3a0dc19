/// Trackers that are not on a network.
extension TrackerProfile {
    static let devices: [TrackerProfile] = [
        device(
            TrackerProfile(
                "web", "A phone or page in a browser", port: nil, .code, "The page at /phone; the house's own axes.",
                [TrackerForm([], [.w, .x, .y, .z])]), .web)
    ]

    private static func device(
        _ profile: TrackerProfile, _ transport: Transport, name: String? = nil, baud: Int? = nil, characteristic: String? = nil
    ) -> TrackerProfile {
        var profile = profile
        profile.transport = transport
        (profile.device, profile.baud, profile.characteristic) = (name, baud, characteristic)
        return profile
    }
}
