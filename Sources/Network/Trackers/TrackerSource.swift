internal import Foundation
internal import Parameters
public import Pose

/// Source of a tracker's poses, written as `PROFILE` or `PROFILE:PLACE`.
public struct TrackerSource: Sendable, Equatable, CustomStringConvertible {
    public enum Place: Sendable, Equatable {
        /// UDP port; 0 takes any free one.
        case port(UInt16)
        case oscPort
        /// A tracker at this computer: its name, or a part of it; nil for the first match.
        case attached(String?)
        /// A browser, through the hub.
        case web
    }

    public let profile: TrackerProfile
    public let place: Place
    /// Bit rate of a serial line.
    public let baud: Int
    /// Identification of the profile: its name in the table, or the absolute path of its file.
    private let name: String

    /// - Throws: ``TrackerSourceError``.
    public init(_ text: String) throws(TrackerSourceError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let place = parts.count == 2 ? parts[1] : nil
        func fail(_ reason: String) -> TrackerSourceError { TrackerSourceError(text: text, reason: reason) }
        let profile: TrackerProfile
        do throws(TrackerSourceError) { (profile, name) = try Self.profile(parts[0]) } catch { throw fail(error.reason) }
        self.profile = profile
        var baud = profile.baud ?? 115_200
        switch profile.transport {
        case .udp:
            if place == "osc" {
                guard !profile.isRaw else { throw fail("\(profile.title) does not send OSC and needs its own port") }
                self.place = .oscPort
            } else if let place {
                guard let port = UInt16(place) else {
                    throw fail("\"\(place)\" is not a port; use 0 (any free port) to 65535, or osc for the OSC port")
                }
                self.place = .port(port)
            } else {
                guard let port = profile.port else {
                    throw fail("\(profile.title) has no default port; specify one, for example \(parts[0]):9001")
                }
                self.place = .port(port)
            }
        case .serial:
            let fields = (place ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            if fields.count > 1 {
                guard fields.count == 2, let rate = Int(fields[1]), rate > 0 else {
                    throw fail("\"\(fields.dropFirst().joined(separator: ","))\" is not a bit rate; use the form /dev/ttyACM0,115200")
                }
                baud = rate
            }
            let path = fields.first.flatMap { $0.isEmpty ? nil : $0 }
            guard path?.hasPrefix("/") != false else {
                throw fail("\"\(path ?? "")\" is not a serial port; specify its device file, for example /dev/ttyACM0")
            }
            self.place = .attached(path)
        case .midi, .bluetooth: self.place = .attached(place.flatMap { $0.isEmpty ? nil : $0 } ?? profile.attachment)
        case .web: self.place = .web
        }
        self.baud = baud
    }

    /// Finds a built-in profile, or reads one from a JSON file, together with an identification valid in any folder.
    public static func profile(_ name: String) throws(TrackerSourceError) -> (TrackerProfile, name: String) {
        if name.hasSuffix(".json") {
            do {
                return (try TrackerProfile(path: name), URL(filePath: name).standardizedFileURL.path)
            } catch { throw TrackerSourceError(text: name, reason: error.description) }
        }
        if let profile = TrackerProfile.named(name) { return (profile, profile.name) }
        let nearest = NearestName.find(name, among: TrackerProfile.table.map(\.name))
        throw TrackerSourceError(
            text: name,
            reason: "there is no profile \"\(name)\"" + (nearest.map { "; did you mean \($0)?" } ?? ";")
                + " `vestibule trackers` lists them")
    }

    /// The source in full.
    public var description: String { description(port: 0) }

    /// - Parameter found: the port that was found when any free one was requested.
    func description(port found: UInt16) -> String {
        switch place {
        case .port(let port): "\(name):\(port == 0 ? found : port)"
        case .oscPort: "\(name):osc"
        case .attached(let place):
            if profile.transport == .serial, baud != profile.baud {
                "\(name):\(place ?? ""),\(baud)"
            } else {
                name + (place.map { ":" + $0 } ?? "")
            }
        case .web: name
        }
    }
}

/// Reason why a tracker could not be attached.
public struct TrackerSourceError: Error, Equatable, CustomStringConvertible {
    public let text: String
    public let reason: String

    public var description: String { "tracker \(text): \(reason)" }
}
