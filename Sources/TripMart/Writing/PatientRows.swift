import Synchronization

/// The rows of `patient` in order of the references, sealed portion by portion on all cores.
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

    func encode(_ rows: Range<Int>, into strip: inout LeafStrip) {
        var row = rows.lowerBound
        do throws(MartError) {
            var sealer = try PatientTable.sealer(keys, count: rows.count)
            while row < rows.upperBound {
                let patient = Int(patients.order[row])
                let sealed = try patients.sealed(patient, by: &sealer)
                // The reference is the row's own.
                strip.appendNull()
                sealed.withUnsafeBytes { strip.append(blob: $0) }
                strip.endRow(rowid: patients.refs[patient])
                row += 1
            }
        } catch {
            failure.note(error)
            // A strip takes the rows it was begun for; the file is thrown away.
            while row < rows.upperBound {
                strip.appendNull()
                strip.appendNull()
                strip.endRow(rowid: patients.refs[Int(patients.order[row])])
                row += 1
            }
        }
    }

    /// Throws what kept an identifier from being sealed; to be asked after the rows were written.
    func requireSealed() throws(MartError) {
        if let error = failure.error { throw error }
    }
}

/// The first error of several threads; whoever comes later changes nothing.
private final class FirstFailure: Sendable {
    private let stored = Mutex<MartError?>(nil)

    var error: MartError? { stored.withLock { $0 } }

    func note(_ error: MartError) {
        stored.withLock { $0 = $0 ?? error }
    }
}
