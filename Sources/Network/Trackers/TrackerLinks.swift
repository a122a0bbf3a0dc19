internal import Glibc
internal import Links
internal import Pose
internal import Threads

/// Links to trackers that are attached to this computer.
public enum TrackerLinks {
    /// Connects a tracker to the pose thread.
    ///
    /// - Parameters:
    ///   - output: descriptor for packets, owned by the link; closed when no link is made.
    ///   - report: receives faults of the link as text, on the link's thread.
    /// - Throws: ``TrackerSourceError``.
    public static func make(
        _ source: TrackerSource, _ output: Int32, report: @escaping @Sendable (String) -> Void
    ) throws -> any TrackerLink {
        let name = "tracker \(source.profile.name)"
        let say: @Sendable (String) -> Void = { report("\(name): \($0)") }
        do throws(TrackerSourceError) { return try link(source, output, say) } catch {
            close(output)
            throw error
        }
    }

    private static func link(
        _ source: TrackerSource, _ output: Int32, _ report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) -> any TrackerLink {
        guard case .attached(let name) = source.place else {
            throw TrackerSourceError(text: source.description, reason: "this tracker sends to a port; specify one")
        }
        let profile = source.profile
        switch profile.transport {
        case .serial:
            return try SerialLink(
                path: name, baud: source.baud, splitter: splitter(profile), output: output, report: report)
        case .midi:
            let isSupperware = profile.forms.contains { $0.datagram == .supperwareQuaternion || $0.datagram == .supperwareAngles }
            return try MIDILink(
                name: name ?? "tracker", numbers: profile.forms.map(\.layout.count).max() ?? 4,
                begin: isSupperware ? Supperware.begin : [], end: isSupperware ? Supperware.end : [], output: output,
                report: report)
        case .bluetooth:
            guard let name else {
                throw TrackerSourceError(
                    text: source.description, reason: "specify the tracker's address or name, for example \(profile.name):AA:BB:CC:DD:EE:FF"
                )
            }
            return try BluetoothLink(
                tracker: name, characteristic: profile.characteristic ?? "", output: output, report: report)
        case .udp, .web:
            throw TrackerSourceError(text: source.description, reason: "this tracker sends to a port; specify one")
        }
    }

    private static func splitter(_ profile: TrackerProfile) -> PacketSplitter {
        guard profile.forms.contains(where: { $0.datagram == .eighteen }) else { return .lines(LineSplitter()) }
        return .eighteen(EighteenSplitter { row in row.withUnsafeBytes { profile.isPacket($0) } })
    }
}

/// A connection to a tracker that is attached to this computer. It receives poses on its own thread.
public protocol TrackerLink: AnyObject {
    /// Ends the thread.
    /// - Parameter waits: whether to return after the thread has ended, which may take a second; otherwise it ends
    ///   shortly afterwards.
    func stop(waits: Bool)
}

extension LinkThread {
    /// Starts the thread of a link, as the other initialiser does.
    /// - Parameter tracker: named in errors.
    convenience init(
        tracker: String, name: String, output: Int32, body: @escaping (LinkThread) -> Void
    ) throws(TrackerSourceError) {
        do throws(ThreadError) { try self.init(name: name, output: output, body: body) } catch {
            throw TrackerSourceError(text: tracker, reason: "\(error)")
        }
    }
}
