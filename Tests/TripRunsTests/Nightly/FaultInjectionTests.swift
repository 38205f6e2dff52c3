import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRules
@testable import TripRuns

/// Trips that are lost, doubled or changed after reading prevent publication.
@Suite struct FaultInjectionTests {
    /// A fault between the reader and the file.
    enum Tampering: CaseIterable {
        case dropped
        case doubled
        case repriced
        case moved
        case rejectForgotten
    }

    private func folder() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + (1...6).map { RunPipeline.line($0) }.joined()
                + RunPipeline.line(7, cost: "x")
        )
        return folder
    }

    /// The steps of a run, with a change of the contents before they are written.
    private func night(
        _ folder: RunFolder,
        _ tamper: (inout GenerationContents) -> Void
    ) throws {
        let options = folder.options()
        let progress = Progress()
        let mart = try RunMart(options)
        defer { mart.release() }
        let setting = try RunConfiguration(options, served: mart.served)
        let intake = try RunFiles(
            options,
            setting: setting,
            mart: mart,
            progress: progress
        )
        let exports = try ClassifiedExports(intake, setting, options, progress: progress)
        let state = try RunTotals(exports, setting, options, progress: progress)
        let clocks = try setting.clocks(arrived: [], served: mart.served, options: options)
        var contents = state.contents(
            header: setting.header(
                mart.nextNumber,
                isSynthetic: state.isSynthetic,
                dataThrough: state.dataThrough,
                clocks: clocks,
                now: options.now
            ),
            setting: setting,
            clocks: clocks,
            checks: [],
            threadCount: 2
        )
        tamper(&contents)
        try mart.publish(contents, progress: progress, now: options.now)
    }

    @Test func untouchedContentsArePublished() throws {
        let folder = try folder()
        try night(folder) { _ in }
        #expect(try MartFolder(path: folder.path + "/mart").servedNumber() == 1)
    }

    @Test(arguments: Tampering.allCases)
    func aTamperedRunEndsWithTheImbalanceStatus(tampering: Tampering) throws {
        let folder = try folder()
        let error = #expect(throws: MartError.self) {
            try night(folder) { contents in
                switch tampering {
                case .dropped: contents.acceptedOrder.removeLast()
                case .doubled: Self.doubleLast(&contents)
                case .repriced: Self.change(&contents, column: "cost_cents", by: 1)
                case .moved: Self.change(&contents, column: "pickup_at", by: 40 * 86_400)
                case .rejectForgotten:
                    contents.rejects = []
                    contents.rejectTexts = [[UInt8]]()
                }
            }
        }
        #expect(error.map { Failure($0).status } == .imbalance)
        #expect(try MartFolder(path: folder.path + "/mart").servedNumber() == nil)
    }

    /// A pipeline of an older version may be in this state, if a newer version reads it more
    /// strictly.
    @Test func anUnreadablePublishedPipelineIsReplacedOnRequest() throws {
        let folder = try folder()
        try night(folder) { contents in
            contents.summary.inputs = contents.summary.inputs.map { input in
                let text = String(decoding: input.content, as: UTF8.self) + "\nno_longer_known: 1\n"
                return GenerationInput(
                    role: input.role,
                    path: input.path,
                    hash: ContentHash.of(Array(text.utf8)),
                    content: Array(text.utf8)
                )
            }
        }
        let error = #expect(throws: RunError.self) { try folder.run() }
        #expect(error?.what.contains("no_longer_known") == true)
        let report = try folder.run { $0.appliesChanges = true }
        #expect(report.outcome == .published)
        #expect(try folder.run().outcome == .nothingDue)
    }

    /// The names in the folder of the run and in the mart's.
    private func leftOvers(_ folder: RunFolder) throws -> [String] {
        try ["", "/mart/generations", "/mart/history"].flatMap { name in
            try FileManager.default.contentsOfDirectory(atPath: folder.path + name)
        }.filter { $0.hasPrefix("mart.key") || $0.hasPrefix(".building-") }
    }

    @Test func aFailedRunLeavesOnlyItsKeyBehind() throws {
        let folder = try folder()
        #expect(throws: MartError.self) {
            try night(folder) { $0.acceptedOrder.removeLast() }
        }
        // Another mart may share the key by now: deleting it would seal that mart for ever.
        #expect(try leftOvers(folder) == ["mart.key"])
        try night(folder) { _ in }
        #expect(try leftOvers(folder) == ["mart.key"])
    }

    @Test func anExistingKeyStays() throws {
        let folder = try folder()
        _ = try MartKeys.create(keyFile: folder.path + "/mart.key")
        #expect(throws: MartError.self) {
            try night(folder) { $0.acceptedOrder.removeLast() }
        }
        #expect(try leftOvers(folder) == ["mart.key"])
    }

    private static func change(_ contents: inout GenerationContents, column: String, by: Int64) {
        guard let index = contents.shape.columns.firstIndex(where: { $0.name == column }) else {
            return
        }
        var batch = contents.batches[0].unpacked
        var integers = batch.columns[index].integers
        integers.values[integers.values.count - 1] += by
        batch.columns[index] = .integer(integers)
        contents.batches[0] = PackedBatch(batch)
    }

    /// Appends the last row once more, under an id of its own.
    private static func doubleLast(_ contents: inout GenerationContents) {
        var batch = contents.batches[0].unpacked
        for index in batch.columns.indices {
            switch batch.columns[index] {
            case .text(var texts):
                let last = texts.codes[texts.codes.count - 1]
                texts.codes.append(index == 0 ? texts.pool.append("T-6b") : last)
                batch.columns[index] = .text(texts)
            case .integer(var integers):
                integers.values.append(integers.values[integers.values.count - 1])
                if !integers.nulls.isEmpty { integers.nulls.append(false) }
                batch.columns[index] = .integer(integers)
            case .real: break
            }
        }
        batch.recordNumbers.append(6)
        batch.lineNumbers.append(7)
        batch.ruleNumbers.append(1)
        batch.counted.append(true)
        contents.batches[0] = PackedBatch(batch)
        contents.acceptedOrder.append(TripPosition(batch: 0, row: 6))
    }
}
