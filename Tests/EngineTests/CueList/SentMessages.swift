/// OSC messages that cues have sent, in words.
final class SentMessages {
    var texts: [String] = []
}
