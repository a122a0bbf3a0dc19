internal import CALSA
internal import Glibc

/// An open playback or capture device, closed on deinitialisation.
// SAFETY: set up by the thread that opens it, then used only by the thread of a run, of which there is one at a time.
final class ALSAHandle: @unchecked Sendable {
    let pcm: OpaquePointer
    let name: String
    let direction: Direction

    enum Direction: Sendable {
        case playback
        case capture

        var alsa: snd_pcm_stream_t { self == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE }
    }

    /// Opens a device.
    /// - Throws: ``DeviceError`` when there is no such device or another program uses it.
    init(_ name: String, direction: Direction = .playback) throws(DeviceError) {
        var pcm: OpaquePointer?
        let code = snd_pcm_open(&pcm, name, direction.alsa, SND_PCM_NONBLOCK)
        guard code >= 0, let pcm else {
            switch -code {
            case EBUSY, EAGAIN:
                throw DeviceError(
                    "The ALSA device \"\(name)\" is busy: another program uses it. Quit that program or choose "
                        + "another device. \(DeviceSpecification.knownText(direction))")
            case ENOENT, ENODEV, ENXIO, EINVAL:
                throw DeviceError(
                    "There is no ALSA device \"\(name)\" to \(direction == .playback ? "play" : "record"). "
                        + DeviceSpecification.knownText(direction), isAbsence: true)
            default:
                throw DeviceError(
                    "The ALSA device \"\(name)\" cannot be opened: \(Self.text(code)). "
                        + DeviceSpecification.knownText(direction), isAbsence: code == -ECONNREFUSED)
            }
        }
        self.pcm = pcm
        self.name = name
        self.direction = direction
    }

    deinit { snd_pcm_close(pcm) }

    /// Number of the sound card; nil for a plugin without one, such as that of a sound server.
    var card: Int? {
        var facts: OpaquePointer?
        guard snd_pcm_info_malloc(&facts) >= 0 else { return nil }
        defer { snd_pcm_info_free(facts) }
        guard snd_pcm_info(pcm, facts) >= 0 else { return nil }
        let number = snd_pcm_info_get_card(facts)
        return number < 0 ? nil : Int(number)
    }

    /// Returns ALSA's message for an error code.
    static func text(_ code: Int32) -> String { String(cString: snd_strerror(code)) }

    /// Throws the error of a negative `code`.
    func check(_ code: Int32, _ what: @autoclosure () -> String) throws(DeviceError) {
        guard code < 0 else { return }
        throw DeviceError("The ALSA device \"\(name)\" does not accept \(what()): \(Self.text(code)).")
    }
}
