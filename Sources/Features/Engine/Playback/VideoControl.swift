import Files
import Hub
import Media
import Parameters

/// The 360-degree video of the recording: follows the recording and the settings of clients, and provides the file for browsers.
///
/// Used on the control thread only.
package final class VideoControl {
    private let hub: Hub
    private let files: MessageFiles
    /// Path of the file that is shown, without symbolic links; nil for none and for a video elsewhere.
    package private(set) var path: String?
    private var version = 0

    init(hub: Hub, files: MessageFiles) { (self.hub, self.files) = (hub, files) }

    private func index(_ parameter: VideoParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onNeed(index(.file)) { [unowned self] value, _ in
            try local(value.text ?? "").flatMap { try files.read([.video($0)]) }
        }
        hub.onSet(index(.file)) { [unowned self] value, message in
            let text = value.text ?? ""
            let path = try local(text)
            show(try path.map { try files.video($0) })
            message.store(instead: .text(path ?? text))
        }
    }

    /// Path of the file that a text names; nil for none and for an address.
    private func local(_ text: String) throws -> String? {
        guard text.hasPrefix("/") && !text.hasPrefix("//") || !WrittenAddress.hasLogin(text) else {
            throw RequestError("the address of the video contains a login, which everyone with view access could read; leave it out")
        }
        if text.isEmpty || RecordingVideo.isAddress(text) { return nil }
        guard !text.contains("://") else {
            throw RequestError(
                "\"\(WrittenAddress.shown(text).prefix(120))\" is not the address of a video; give one that begins with https://, or the name of a file"
            )
        }
        return try files.clients.path(text, .recordings)
    }

    /// Takes the video of a recording that was loaded; nil for none.
    func follow(_ given: (video: RecordingVideo, facts: VideoFacts?)?) {
        let video = given?.video
        show(given?.facts)
        hub.publish(index(.file), .text(video?.place ?? ""))
        hub.publish(index(.layout), .number(Float(video?.layout.rawValue ?? 0)))
        for (parameter, value) in [
            (VideoParameter.offset, video?.offset), (.yaw, video?.yaw), (.pitch, video?.pitch), (.roll, video?.roll),
        ] { hub.publish(index(parameter), .number(value ?? 0)) }
    }

    private func show(_ facts: VideoFacts?) {
        path = facts?.path
        if facts != nil { version += 1 }
        hub.publish(index(.found), .text(facts?.words ?? ""))
        hub.publish(index(.version), .number(facts == nil ? 0 : Float(version)))
    }
}
