/// Groups that are added up: of some months, or of all at position 0, of one trip type or all, and
/// of some regions.
struct CubeSpan {
    var months: Range<UInt32>
    var tripType: UInt32
    var regions: [UInt32]

    /// Calls a function for each of its groups.
    @inline(__always)
    func forEach(_ body: (CubeKey) -> Void) {
        for region in regions {
            for month in months {
                body(CubeKey(month: month, tripType: tripType, region: region))
            }
        }
    }
}
