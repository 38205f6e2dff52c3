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
        var sealer = PatientTable.sealer(keys, count: rows.count)
        for row in rows {
            let patient = Int(patients.order[row])
            // The reference is the row's own.
            strip.appendNull()
            do throws(MartError) {
                let sealed = try patients.sealed(patient, by: &sealer)
                sealed.withUnsafeBytes { strip.append(blob: $0) }
            } catch {
                failure.note(error)
                strip.appendNull()
            }
            strip.endRow(rowid: patients.refs[patient])
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
