import Foundation
import TestSupport

@testable import TripReports

/// Cases that the dashboard's own tests read as well: `Tests/Dashboard/cases`.
enum SharedCases {
    /// Reads a file of cases.
    static func read<File: Decodable>(_ name: String) throws -> File {
        let path = Repository.path("Tests/Dashboard/cases/" + name)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try JSONDecoder().decode(File.self, from: data)
    }

    /// A share: its value, the least and the greatest, in hundredths of a percent.
    static func share(_ values: [Int64?]?) -> InHouseShare {
        guard let values else { return InHouseShare(value: nil, low: nil, high: nil) }
        return InHouseShare(value: values[0], low: values[1], high: values[2])
    }
}
