/// The smallest pipeline that reads and classifies trips.
public enum MinimalPipeline {
    /// Its `pipeline.yaml`.
    public static let text = """
        pipeline: mine
        time_zone: America/New_York
        sources:
          trips: {files: "*.csv*"}
        fields:
          trip_id: Trip Number
          pickup_at: {from: Pickup, formats: ["M/d/yyyy H:mm"]}
          region: VISN
          trip_type: Service Level
          cost: Amount Paid
          owner: Vehicle Owner
        rules:
          - id: own
            class: in_house
            basis: va_fleet
            when: owner = 'VA'
            because: The vehicle belongs to VA.
          - id: vendor
            class: contracted
            basis: contract
            when: owner <> 'VA'
            because: The vehicle belongs to a vendor.
        """
}
