import Synchronization

/// The rows of `patient` in order of the references, sealed one leaf run at a time on all cores.
struct PatientRows: LeafSource {
    private let patients: PatientTable
    private let keys: MartKeys
    private let failure = FirstFailure()

    init(_ patients: PatientTable, keys: MartKeys) {
        self.patients = patients
        self.keys = keys
    }

    var count: Int { patients.order.count }
    var columnCount: Int { 2 }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) {
        var row = rows.lowerBound
        do throws(MartError) {
            var sealer = try PatientTable.sealer(keys, count: rows.count)
            while row < rows.upperBound {
                let patient = Int(patients.order[row])
                let sealed = try patients.sealed(patient, by: &sealer)
                // The reference is the row's own.
                leafRun.appendNull()
                sealed.withUnsafeBytes { leafRun.append(blob: $0) }
                leafRun.endRow(rowid: patients.refs[patient])
                row += 1
            }
        } catch {
            failure.note(error)
            // A leaf run must receive all its rows; the file is discarded.
            while row < rows.upperBound {
                leafRun.appendNull()
                leafRun.appendNull()
                leafRun.endRow(rowid: patients.refs[Int(patients.order[row])])
                row += 1
            }
        }
    }

    /// Throws the first error of sealing an identifier; called after the rows are written.
    func requireSealed() throws(MartError) {
        if let error = failure.error { throw error }
    }
}

/// The first error of several threads; later errors are ignored.
private final class FirstFailure: Sendable {
    private let stored = Mutex<MartError?>(nil)

    var error: MartError? { stored.withLock { $0 } }

    func note(_ error: MartError) {
        stored.withLock { $0 = $0 ?? error }
    }
}
