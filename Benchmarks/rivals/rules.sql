-- The rules of pipelines/ambulance/rules.yaml as one expression: the number of the first that holds.
-- Rules 3, 4, 15, 18 and 19 make a trip in-house, the other numbers contracted, NULL undetermined.
-- In the words that DuckDB, ClickHouse, Polars and SQLite share. What each says best in its own words
-- is a column of 0 and 1: `crew_counts` from the day on that rules 1 and 2 hold, `name_is_va` for names
-- that begin with VAMC, `name_is_vendor` for those with "ambulance" in them or " EMS" at their end.
CASE
    WHEN fleet_owner = 'VA' AND fleet_crew = 'VENDOR' AND award_matched = 1 AND crew_counts = 1 THEN 1
    WHEN fleet_owner = 'VA' AND fleet_crew = 'VENDOR' AND crew_counts = 1 THEN 2
    WHEN fleet_owner = 'VENDOR' AND fleet_crew = 'VA' THEN 3
    WHEN fleet_owner = 'VA' THEN 4
    WHEN trip_type IN ('FW', 'RW') AND award_matched = 1 THEN 5
    WHEN trip_type IN ('FW', 'RW') THEN 6
    WHEN fleet_owner = 'VENDOR' AND award_matched = 1 THEN 7
    WHEN fleet_owner = 'VENDOR' THEN 8
    WHEN award_matched = 1 AND coalesce(provider_owner, 'VENDOR') = 'VENDOR' THEN 9
    WHEN provider_kind = 'community' THEN 10
    WHEN provider_owner = 'VENDOR' AND award_matched = 0 AND award_today_matched = 1 THEN 11
    WHEN provider_owner = 'VENDOR' AND award_today_matched = 0 AND award_ever_matched = 1 THEN 12
    WHEN provider_owner = 'VENDOR' THEN 13
    WHEN provider_owner = 'VA' AND (has_qm = 1 OR award_matched = 1) THEN 14
    WHEN provider_owner = 'VA' THEN 15
    WHEN provider_npi IS NOT NULL AND provider_owner IS NULL AND paid > 0 THEN 16
    WHEN has_qm = 1 THEN 17
    WHEN has_qn = 1 AND contract IS NULL THEN 18
    WHEN name_is_va = 1 AND provider_npi IS NULL AND contract IS NULL AND paid IS NULL THEN 19
    WHEN provider_npi IS NULL AND name_is_vendor = 1 AND name_is_va = 0 THEN 20
END
