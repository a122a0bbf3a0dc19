import Media

/// Where the filters of the method `personal` are worked out; its customers are listeners, counted from 0.
typealias PersonalWorkshop = Workshop<Int, PersonalOrder, PersonalFilters>

extension Workshop where Customer == Int, Order == PersonalOrder, Product == PersonalFilters {
    /// - Parameter cache: where filters are looked for and kept.
    convenience init(cache: FilterCache?) {
        self.init(name: "filters") { order, progress throws(MediaError) in
            try PersonalFilters(order, cache: cache, progress: progress)
        }
    }
}
