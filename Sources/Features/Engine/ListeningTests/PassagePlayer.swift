import Hub
import Media
import Parameters
import RenderInterface

/// Repeats a part of the recording.
struct PassagePlayer {
    private let transport: Transport
    private let playback: Playback
    private let telemetry: Telemetry
    /// Seconds in the recording.
    var range: ClosedRange<Double> = 0...0
    /// Time until which a jump may still be pending, CLOCK_MONOTONIC nanoseconds.
    private var jumping: UInt64 = 0

    init(_ transport: Transport, _ playback: Playback, _ telemetry: Telemetry) {
        (self.transport, self.playback, self.telemetry) = (transport, playback, telemetry)
    }

    var isPlaying: Bool { transport.state == TransportParameter.playing }

    func play() { transport.state = TransportParameter.playing }

    func pause() { transport.state = TransportParameter.paused }

    mutating func restart(now: UInt64) {
        playback.player?.seek(seconds: range.lowerBound)
        jumping = now &+ 1_000_000_000
    }

    /// Returns the position in the recording, seconds, and jumps back from the end of the range.
    mutating func follow(now: UInt64) -> Double {
        guard let position = playback.position(telemetry.state) else { return range.lowerBound }
        let isInside = position >= range.lowerBound - 0.05 && position < range.upperBound && !telemetry.state.feedEnded
        if isInside {
            jumping = 0
        } else if now > jumping, isPlaying {
            restart(now: now)
        }
        return min(max(position, range.lowerBound), range.upperBound)
    }
}
