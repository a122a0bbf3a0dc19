/// Materials with published absorption: the coefficients of M. Vorländer, Auralization (Springer 2008), annex.
extension RoomMaterial {
    /// The table of absorption.
    static let vorlaender = "Absorption: M. Vorländer, Auralization, Springer 2008, annex. "
    /// Scattering at mid frequencies, which publications give by kinds of surface instead of products.
    static let odeon = "Scattering at 707 Hz: ODEON Room Acoustics Software, user's manual, suggested scattering coefficients."

    /// All built-in materials, in the order in which lists show them.
    public static let all: [RoomMaterial] = [
        .init("hard-wall", "Hard wall, average of brick and plaster", [2, 2, 3, 3, 4, 5, 5], 0.03, "#c9c4b8"),
        .init("rendered-brick", "Rendered brickwork", [1, 2, 2, 3, 3, 4, 4], 0.03, "#d8cfc0"),
        .init("rough-concrete", "Rough concrete", [2, 3, 3, 3, 4, 7, 7], 0.05, "#9a9a96"),
        .init("smooth-concrete", "Smooth unpainted concrete", [1, 1, 2, 2, 2, 5, 5], 0.02, "#b0b0ac"),
        .init("lime-wash", "Rough lime wash", [2, 3, 4, 5, 4, 3, 2], 0.05, "#ece8dc"),
        .init("painted-brick", "Smooth brickwork with flush pointing, painted", [1, 1, 2, 2, 2, 2, 2], 0.05, "#c8856a"),
        .init("pointed-brick", "Smooth brickwork, pointing 10 mm deep", [8, 9, 12, 16, 22, 24, 24], 0.15, "#a85a42"),
        .init("stuccoed-brick", "Brick wall, rough stucco", [3, 3, 3, 4, 5, 7, 7], 0.07, "#d9c2a3"),
        .init("ceramic-tiles", "Smooth ceramic tiles", [1, 1, 1, 2, 2, 2, 2], 0.02, "#e6eef0"),
        .init("limestone", "Limestone wall", [2, 2, 3, 4, 5, 5, 5], 0.05, "#d6cdb0"),
        .init("reverberation-chamber", "Walls of a reverberation chamber", [1, 1, 1, 2, 2, 4, 4], 0.02, "#cfd2d2"),
        .init("concrete-floor", "Concrete floor", [1, 3, 5, 2, 2, 2, 2], 0.02, "#8d8d88"),
        .init("marble-floor", "Marble floor", [1, 1, 1, 2, 2, 2, 2], 0.02, "#e9e4de"),
        .init("plasterboard", "Two layers of plasterboard, mineral wool behind, painted", [15, 10, 6, 4, 4, 5, 5], 0.03, "#efece4"),
        .init("wooden-lining", "Wooden lining, 12 mm, on a frame", [27, 23, 22, 15, 10, 7, 6], 0.04, "#b98d5a"),
        .init("glass", "Single pane of glass, 3 mm", [8, 4, 3, 3, 2, 2, 2], 0.02, "#bfe0e6"),
        .init("glass-window", "Glass window, 0.68 kg/m2", [10, 5, 4, 3, 3, 3, 3], 0.02, "#a9d3de"),
        .init("double-glazing-wide", "Double glazing, gap above 30 mm", [15, 5, 3, 3, 2, 2, 2], 0.02, "#9cc9d6"),
        .init("double-glazing", "Double glazing, gap of 10 mm", [10, 7, 5, 3, 2, 2, 2], 0.02, "#8fbfce"),
        .init("wood", "Wood, 16 mm on battens of 40 mm", [18, 12, 10, 9, 8, 7, 7], 0.04, "#a6713c"),
        .init("wooden-door", "Solid wooden door", [14, 10, 6, 8, 10, 10, 10], 0.03, "#7d5230"),
        .init("cotton-carpet", "Cotton carpet", [7, 31, 49, 81, 66, 54, 48], 0.05, "#8a6d8f"),
        .init("foam-carpet", "Carpet of 6 mm on closed-cell foam", [3, 9, 25, 31, 33, 44, 44], 0.05, "#6f7fa0"),
        .init("open-foam-carpet", "Carpet of 6 mm on open-cell foam", [3, 9, 20, 54, 70, 72, 72], 0.05, "#5f6f96"),
        .init("felt-carpet", "Tufted carpet of 9 mm on felt", [8, 8, 30, 60, 75, 80, 80], 0.05, "#7b3f4b"),
        .init("needle-felt", "Needle felt of 5 mm on concrete", [2, 2, 5, 15, 30, 40, 40], 0.05, "#5d6b62"),
        .init("hairy-carpet", "Hairy carpet on 3 mm felt", [11, 14, 37, 43, 27, 25, 25], 0.05, "#a08b6c"),
        .init(
            "cotton-curtain", "Cotton curtain, 0.5 kg/m2, draped to 3/4, 130 mm from the wall", [30, 45, 65, 56, 59, 71, 71], 0.05,
            "#b1483f"),
        .init("light-curtain", "Curtain, 0.2 kg/m2, 90 mm from the wall", [5, 6, 39, 63, 70, 73, 73], 0.05, "#d98f7a"),
        .init("velvet-curtain", "Tight velvet curtain", [5, 12, 35, 45, 38, 36, 36], 0.05, "#7c1f35"),
        .init("folded-curtain", "Folded curtain fabric, 150 mm from the wall", [12, 60, 98, 100, 100, 100, 100], 0.05, "#5a2a5e"),
        .init("glass-mat-curtain", "Close-woven glass mat, 50 mm from the wall", [3, 3, 15, 40, 50, 50, 50], 0.05, "#c4c9b5"),
        .init("plastic-chairs", "Plastic chairs, unoccupied", [6, 10, 10, 20, 30, 20, 20], 0.6, "#4a86b8"),
        .init("cloth-chairs", "Upholstered chairs with cloth, empty", [44, 60, 77, 89, 82, 70, 70], 0.6, "#a3323c"),
        .init("leather-chairs", "Upholstered chairs with leather, empty", [40, 50, 58, 61, 58, 50, 50], 0.6, "#5b3a2a"),
        .init("audience", "Audience, orchestra or choir with narrow aisles", [60, 74, 88, 96, 93, 85, 85], 0.65, "#c06a3a"),
        .init("audience-on-wood", "Audience on wooden chairs, 2 per m2", [24, 40, 78, 98, 96, 87, 87], 0.65, "#b8793f"),
        .init("orchestra", "Orchestra on a podium, 1.5 m2 per person", [27, 53, 67, 93, 87, 80, 80], 0.65, "#2f2f38"),
        .init("heavy-rockwool-panel", "Fabric-covered panel, rockwool of 8 pcf", [21, 66, 100, 100, 97, 98, 98], 0.05, "#49637a"),
        .init("rockwool-panel", "Fabric-covered panel, rockwool of 6 pcf", [46, 93, 100, 100, 100, 100, 100], 0.05, "#3d5468"),
        .init("rockwool", "Rockwool of 50 mm, 80 kg/m3", [22, 60, 92, 90, 88, 88, 88], 0.05, "#b9ab7c"),
        .init("light-rockwool", "Rockwool of 50 mm, 40 kg/m3", [23, 59, 86, 86, 86, 86, 86], 0.05, "#cdbf8e"),
        .init("mineral-wool", "Mineral wool of 50 mm on the wall, 40 kg/m3", [15, 70, 60, 60, 85, 90, 90], 0.05, "#d8c77a"),
        .init(
            "spaced-mineral-wool", "Mineral wool of 50 mm, 70 kg/m3, 300 mm from the wall", [70, 45, 65, 60, 75, 65, 65], 0.05, "#c2b05e"),
        .init("acoustic-ceiling", "Perforated metal ceiling, mineral fibre above", [48, 97, 100, 97, 100, 100, 100], 0.05, "#f4f4f1"),
    ]

    /// Absorption in percent, from 125 Hz to 8 kHz.
    private init(_ name: String, _ title: String, _ percent: [Float], _ scattering: Float, _ colour: String) {
        self.init(
            name: name, title: title, absorption: percent.map { $0 / 100 }, scattering: scattering, colour: colour,
            source: Self.vorlaender + Self.odeon)
    }
}
