import CSQLite
import Dispatch
import TripDomain

/// Inserts the trips in stored order through SQLite.
///
/// Two blocks take turns: while the rows of one are inserted, the other is filled from the columns
/// of the batches on a second thread. Filling goes column by column, so that each loop reads one
/// kind of memory; inserting goes row by row and reads only the block.
struct TripInsertion {
    private let order: [TripPosition]
    private let sources: [TripSource]
    private let blockSize: Int
    /// Kept alive for the sources, which point into them.
    private let batches: [PackedBatch]
    private let tables: TripTables

    init(
        _ contents: GenerationContents,
        tables: TripTables,
        coding: TextCoding,
        patients: PatientTable,
        blockSize: Int
    ) {
        self.blockSize = blockSize
        order = contents.acceptedOrder
        batches = contents.batches
        self.tables = tables
        sources = TripSource.all(contents, tables: tables, coding: coding, patients: patients)
    }

    /// Inserts all trips.
    ///
    /// - Complexity: O(*n*); two blocks of memory, whatever *n* is.
    func run(_ connection: RawConnection, progress: (Int) -> Void) throws(MartError) {
        let statement = try connection.prepare(tables.insertSQL)
        let blocks = [
            TripBlock(sources.count, capacity: blockSize),
            TripBlock(sources.count, capacity: blockSize),
        ]
        let blockCount = (order.count + blockSize - 1) / blockSize
        for index in 0...blockCount where blockCount > 0 {
            var failure: MartError?
            // Iteration 0 inserts the block that was filled before; iteration 1 fills the other
            // block. They share nothing, and the loop waits for both.
            nonisolated(unsafe) let writing = statement
            nonisolated(unsafe) let filled = blocks[(index + 1) % 2]
            nonisolated(unsafe) let filling = blocks[index % 2]
            withUnsafeMutablePointer(to: &failure) { slot in
                nonisolated(unsafe) let slot = slot
                DispatchQueue.concurrentPerform(iterations: 2) { half in
                    if half == 0, index > 0 {
                        slot.pointee = Self.insert(filled, writing)
                    } else if half == 1, index < blockCount {
                        fill(filling, from: index * blockSize)
                    }
                }
            }
            if let failure { throw failure }
            progress(min(index * blockSize, order.count))
        }
    }

    private func fill(_ block: TripBlock, from start: Int) {
        let positions = order[start..<min(start + blockSize, order.count)]
        block.fill(start + 1, positions, from: sources)
    }

    /// Inserts the rows of one block.
    ///
    /// The error is returned rather than thrown, because it crosses a thread.
    private static func insert(_ block: TripBlock, _ statement: RawStatement) -> MartError? {
        do {
            let handle = statement.handle
            for row in 0..<block.count {
                sqlite3_bind_int64(handle, 1, Int64(block.firstNumber + row))
                for column in 0..<block.columnCount {
                    block.bind(column, row, to: handle, parameter: Int32(column + 2))
                }
                try statement.insert()
            }
            return nil
        } catch {
            return error
        }
    }
}
