import TripDomain
import TripEngine
import TripRules

extension RunReport {
    /// Takes the declared measures of what a run would publish.
    ///
    /// - Parameters:
    ///   - setting: The pipeline in force; most declare none.
    ///   - cube: What would be published.
    mutating func takeMeasures(_ setting: RunConfiguration, _ cube: Cube) {
        measures = DeclaredKPIs(setting.classifier.shape.declared, cube.declared).totals
    }
}
