import Testing

@testable import TripEngine
@testable import TripSynthetic

@Suite struct ReferenceFilesTests {
    @Test func committedFilesAreWhatTheGeneratorWrites() throws {
        let folder = try ExportFolder.repository("data/reference")
        let files = ReferenceFiles.files()
        for (name, bytes) in files {
            #expect(try ExportFolder.bytes(folder + "/" + name) == bytes, "\(name)")
        }
        #expect(try ExportFolder.names(in: folder) == files.map(\.name))
    }

    @Test func headersAreTheDocumentedOnes() {
        let headers = Dictionary(
            uniqueKeysWithValues: ReferenceFiles.files().map { name, bytes in
                (name, String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
            }
        )
        #expect(
            headers == [
                "stations.csv": "station,from,to,region,time_zone,name,parent",
                "hcpcs.csv": "code,trip_type,is_ambulance,emergency,description",
                "providers.csv": "npi,from,to,owner,kind,name",
                "vehicles.csv": "unit,from,to,owner,station,crew_employer",
                "contracts.csv": "contract_no,station,from,to,npi,option_year",
                "visns.csv": "region,name",
                "trip_types.csv": "trip_type,label",
            ]
        )
    }

    @Test func fieldsAreQuotedOnlyWhereNeeded() {
        #expect(CSVText.quoted("plain") == Array("plain".utf8))
        #expect(CSVText.quoted("a, b") == Array("\"a, b\"".utf8))
        #expect(CSVText.quoted("say \"x\"") == Array("\"say \"\"x\"\"\"".utf8))
    }
}
