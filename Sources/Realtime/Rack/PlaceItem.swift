internal import RackCore

/// A place of a rack: one row or several parallel ones.
final class PlaceItem {
    var rows: [RowItem]
    /// Nil as long as the place has never had more than one row.
    var copies: [Box<RackPlace>]?
    var isLeaving = false
    let enters: Bool
    var isBranched: Bool

    init(_ rows: [RowItem], isBranched: Bool, enters: Bool) {
        self.rows = rows
        self.isBranched = isBranched
        self.enters = enters
    }
}
