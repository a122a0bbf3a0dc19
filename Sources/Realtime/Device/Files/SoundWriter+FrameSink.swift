public import Media

extension SoundWriter: FrameSink {}
extension MeasuredWriter: FrameSink {}
