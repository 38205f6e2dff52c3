import TripDomain
import TripEngine
import TripPipeline

extension PipelineDefinition {
    /// The request to read a file of a source: with one thread, and without a path yet.
    func request(for source: SourceDefinition, name: String) -> ExportRequest {
        var request = ExportRequest(
            path: "",
            name: name,
            fileIndex: 0,
            dialect: source.dialect,
            layouts: source.layouts,
            shapeColumns: fieldColumns,
            costName: kpis.costField,
            refusesUnknownColumns: source.unknownColumns == .refuse,
            limits: source.expansion,
            slicing: Slicing(threads: 1)
        )
        request.identity = LogicalPath.of(name)
        request.rejectLimits = source.rejects
        request.preambleLines = source.preambleLines
        request.ignoresHeaderCase = source.ignoresHeaderCase
        return request
    }
}

extension PipelineDefinition {
    /// The last time that the pick-ups of a file may have: the end of the day it was taken in.
    ///
    /// - Parameters:
    ///   - day: The day it was taken in, on the pipeline's clock.
    ///   - zone: The pipeline's own zone.
    /// - Returns: The time. Where stations have clocks of their own, a time as they write it may
    ///   be a day ahead; a time with an offset is compared as the instant it is.
    func latestPickup(takenIn day: CivilDate, zone: TimeZoneRules) -> LatestTime {
        let end = (Int64(day.dayNumber) + 1) * CivilTime.daySeconds - 1
        return LatestTime(
            local: zoneLookup == nil ? end : end + CivilTime.daySeconds,
            instant: zone.utc(ofLocal: end)
        )
    }
}
