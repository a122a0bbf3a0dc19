public import Binaural

extension RoomPlan {
    /// Two rooms of which one is turned, small and dry.
    public static func made(rate: Float) -> [RoomPlan] {
        let hard = [RoomMaterial](repeating: .named("rough-concrete")!, count: 6)
        let soft = [RoomMaterial](repeating: .named("acoustic-ceiling")!, count: 6)
        return [
            RoomPlan(Shoebox(size: SIMD3(8, 6, 3), walls: hard), order: 2, rate: rate)!,
            RoomPlan(Shoebox(size: SIMD3(5, 4, 2.6), place: SIMD3(0.5, 0.3, -1.2), turn: 30, walls: soft), order: 3, rate: rate)!,
        ]
    }
}
