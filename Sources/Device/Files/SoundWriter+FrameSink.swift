public import Media

extension SoundWriter: FrameSink {}
