import Foundation
import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// Everything that `docs/RULES.md` shows is true.
struct RulesTests {
    private struct Page {
        var names: [(name: String, kind: ColumnKind, value: String)] = []
        var examples: [(text: String, result: String)] = []
    }

    private func page() throws -> Page {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = tests.deletingLastPathComponent().appending(path: "docs/RULES.md")
        var page = Page()
        var isCode = false
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode = line == "```rules"
            } else if isCode, let arrow = line.range(of: "-> ", options: .backwards) {
                page.examples.append(
                    (
                        line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces),
                        String(line[arrow.upperBound...])
                    )
                )
            } else if line.hasPrefix("|") {
                let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 5, let kind = ColumnKind(rawValue: cells[2]) else { continue }
                page.names.append((cells[1], kind, cells[3]))
            }
        }
        return page
    }

    @Test func everyResultOnThePageIsTrue() throws {
        let page = try page()
        #expect(page.names.count == 17)
        #expect(page.examples.count > 60)
        let scope = ExpressionScope(
            columns: page.names.map { ScopeColumn(name: $0.name, kind: $0.kind) }
        )
        let trip = try page.names.map { name, kind, value -> ExpressionValue in
            guard !value.isEmpty else { return .null }
            switch kind {
            case .text, .date, .timestamp, .patient: return .text(value)
            case .decimal: return .real(try #require(Double(value)))
            default: return .integer(try #require(Int64(value)))
            }
        }
        let frame = FlatTrips.frame([trip], scope)
        for (text, expected) in page.examples {
            do {
                let program = try scope.compile(
                    ParsedExpression(parsing: text),
                    expecting: .value
                )
                let kind: ColumnKind = program.resultType == .real ? .decimal : .text
                let value = FlatTrips.value(program.evaluate(frame).column, kind, 0)
                #expect(value.literal == expected, "\(text)")
            } catch {
                let suggestion = error.suggestion.map { ": \($0)" } ?? ""
                let isGeneral = expected == "refused"
                #expect(
                    isGeneral || "refused\(suggestion)" == expected,
                    "\(text): \(error.message)"
                )
            }
        }
    }
}
