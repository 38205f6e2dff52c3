/// The rows of `patient` in order of the references, sealed one leaf run at a time on all cores.
struct PatientRows: LeafSource {
    private let patients: PatientTable
    private let keys: MartKeys

    init(_ patients: PatientTable, keys: MartKeys) {
        self.patients = patients
        self.keys = keys
    }

    var count: Int { patients.order.count }
    var columnCount: Int { 2 }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
        var sealer = try PatientTable.sealer(keys, count: rows.count)
        for row in rows {
            let patient = Int(patients.order[row])
            let sealed = try patients.sealed(patient, by: &sealer)
            // The reference is the row's own.
            leafRun.record.appendNull()
            sealed.withUnsafeBytes { leafRun.record.append(blob: $0) }
            leafRun.endRow(rowid: patients.refs[patient])
        }
    }
}
