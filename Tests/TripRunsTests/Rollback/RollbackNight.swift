import TripDomain

@testable import TripMart
@testable import TripRuns

/// A mart of three nights, and what its tests ask of it.
enum RollbackNight {
    /// Three runs of one file each; the second file is bad.
    static func folder() throws -> RunFolder {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for number in 1...3 {
            try night.write("in/trips_\(number).csv", file(number))
            try night.run()
        }
        return night
    }

    static func file(_ number: Int, owner: String = "VA") -> String {
        let header = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner"
        let rows = (1...5).map { "T-\(number)-\($0),1/\($0)/2026 8:00,08,BLS,10.00,\(owner)" }
        return ([header] + rows).joined(separator: "\n") + "\n"
    }

    @discardableResult
    static func goBack(_ night: RunFolder, to target: Int) throws -> RunReport {
        try Rollback(options: night.options(), to: target, progress: Progress()).perform()
    }

    static func files(_ night: RunFolder) throws -> [String] {
        try ServedMart.open(MartFolder(path: night.options().martPath)).files().map(\.path)
    }

    static func served(_ night: RunFolder) throws -> ServedMart {
        try ServedMart.open(MartFolder(path: night.options().martPath))
    }
}
