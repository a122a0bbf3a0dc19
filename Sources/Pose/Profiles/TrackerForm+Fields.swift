extension TrackerForm.Field {
    static let quaternion: [Self] = [.w, .x, .y, .z]
    static let gravity: [Self] = [.gravityX, .gravityY, .gravityZ]
}
