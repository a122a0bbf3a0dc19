extension TrackerForm.Field {
    static let quaternion: [Self] = [.w, .x, .y, .z]
    static let place: [Self] = [.front, .left, .up]
    static let gravity: [Self] = [.gravityX, .gravityY, .gravityZ]
}
