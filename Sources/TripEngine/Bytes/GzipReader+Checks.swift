internal import CZlib
internal import TripDomain

extension GzipReader {
    /// Compares a member's expanded bytes with the trailer that follows.
    ///
    /// - Throws: `gzipDamaged` or `gzipTruncated`.
    func checkTrailer() throws(SourceFault) {
        let start = offset
        let check = try integer(byteCount: 4, expecting: "a trailer")
        let size = try integer(byteCount: 4, expecting: "a trailer")
        guard check == UInt32(truncatingIfNeeded: memberCheck) else {
            throw fault(
                .gzipDamaged,
                at: start,
                member: currentMember,
                "has a wrong CRC32 in the trailer of gzip member \(currentMember) at byte \(start)",
                "The file was damaged on its way; get it again."
            )
        }
        guard size == UInt32(truncatingIfNeeded: memberSize) else {
            throw fault(
                .gzipDamaged,
                at: start + 4,
                member: currentMember,
                "has a wrong size in the trailer of gzip member \(currentMember) at byte "
                    + "\(start + 4): \(size), expected \(UInt32(truncatingIfNeeded: memberSize))",
                "The file was damaged on its way; get it again."
            )
        }
    }

    /// Refuses a file that expands beyond its limits.
    ///
    /// - Throws: `expandsTooFar`.
    func checkLimits() throws(SourceFault) {
        guard !limits.permit(expandedSize, of: offset) else { return }
        guard expandedSize <= limits.expandedSizeMax else {
            throw fault(
                .expandsTooFar,
                at: offset,
                member: currentMember,
                "expands to more than \(limits.expandedSizeMax) bytes",
                "If the file is meant to be that large, raise the limit; otherwise ask its sender."
            )
        }
        throw fault(
            .expandsTooFar,
            at: offset,
            member: currentMember,
            "expands to more than \(limits.ratioMax) times its size "
                + "(\(offset) bytes gave \(expandedSize))",
            "No export compresses that well; ask the sender what the file is."
        )
    }
}

extension ExpansionLimits {
    /// The greatest expanded size allowed for a compressed size.
    func expandedSize(of size: Int) -> Int {
        let (product, overflows) = size.multipliedReportingOverflow(by: ratioMax)
        return min(expandedSizeMax, max(ratioFloorSize, overflows ? .max : product))
    }

    /// Whether an expanded size is allowed for a compressed size.
    func permit(_ expandedSize: Int, of size: Int) -> Bool {
        expandedSize <= expandedSizeMax
            && (expandedSize <= ratioFloorSize || expandedSize / ratioMax <= size)
    }
}
