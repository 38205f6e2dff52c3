import Testing

@Suite struct ImportTableTests {
    private let repository = Repository.this

    @Test func everyTargetImportsOnlyWhatItMay() {
        let breaches = Repository.swift.filter { $0.key.hasPrefix("Sources/") }.flatMap {
            ImportTable.breaches($0, $1)
        }
        #expect(breaches == [])
    }

    @Test func theTableNamesTheTargetsThatExist() {
        let targets = Set(
            repository.swiftPaths(below: "Sources").compactMap {
                $0.split(separator: "/").dropFirst().first.map(String.init)
            }
        )
        #expect(targets == Set(ImportTable.allowed.keys))
    }

    @Test func aForbiddenImportIsFoundHoweverItIsWritten() {
        func lines(_ code: String) -> [Int] {
            ImportTable.breaches("Sources/TripEngine/A.swift", SwiftText(code)).map(\.line)
        }
        #expect(lines("import Foundation") == [1])
        #expect(lines("import Glibc\npublic import GRDB") == [2])
        #expect(lines("@preconcurrency internal import struct Foundation.Data") == [1])
        #expect(lines("// import Foundation\nlet a = \"import GRDB\"") == [])
        #expect(lines("internal import CZlib\nimport TripDomain") == [])
    }

    @Test func aTargetOutsideTheTableIsFound() {
        #expect(ImportTable.breaches("Sources/TripOther/A.swift", SwiftText("")).count == 1)
    }
}
