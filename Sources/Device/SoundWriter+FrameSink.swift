public import Media

/// A file device writes a sound file.
extension SoundWriter: FrameSink {}
