// The shapes of the answers, as health-dashboard.yaml has them; names only, no code.

/**
 * What a group of trips adds up to. Null is not known, or hidden.
 * @typedef {object} Sums
 * @property {number | null} trips
 * @property {number | null} in_house_trips
 * @property {number | null} contracted_trips
 * @property {number | null} undetermined_trips
 * @property {number | null} in_house_pct
 * @property {number | null} in_house_pct_low
 * @property {number | null} in_house_pct_high
 * @property {number | null} cost_cents
 * @property {number | null} in_house_cost_cents
 * @property {number | null} contracted_cost_cents
 * @property {number | null} undetermined_cost_cents
 * @property {number | null} in_house_costed_trips
 * @property {number | null} contracted_costed_trips
 * @property {number | null} undetermined_costed_trips
 * @property {number | null} cost_per_trip_cents
 * @property {number | null} cost_per_mile_cents
 * @property {number | null} loaded_miles_hundredths
 * @property {boolean} suppressed
 * @property {MeasureValue[]=} measures
 */
/**
 * A measure that the pipeline declares; none for readers who do not see every number.
 * @typedef {object} DeclaredMeasure
 * @property {string} name
 * @property {string} label
 * @property {"count" | "sum" | "mean" | "median"} kind
 * @property {string} unit Empty where none is declared.
 * @property {"whole" | "cents" | "hundredths"} amount
 */
/** @typedef {{name: string, value: number | null, known_trips: number}} MeasureValue */
/** @typedef {Sums & {month: string, month_open: boolean}} MonthSums */
/** @typedef {Sums & {trip_type: string, label: string}} TripTypeSums */
/** @typedef {Sums & {region: string, label: string}} RegionSums */
/** @typedef {"in_house" | "contracted" | "undetermined"} Class */
/** @typedef {{class: Class, basis: string, trips: number, costed_trips: number, cost_cents: number, measures: MeasureValue[] | undefined}} BasisSums */

/**
 * Where an answer comes from.
 * @typedef {object} Origin
 * @property {number} generation
 * @property {string} as_of When it was published.
 * @property {string | null} data_through
 * @property {boolean} stale
 * @property {boolean} synthetic
 * @property {string[]} open_months
 */
/** @typedef {{from: string | null, to: string | null, trip_type: string | null, region: string | null}} Asked */

/**
 * What an earlier month read.
 * @typedef {object} Comparison
 * @property {string} month
 * @property {"same_age" | "settled"} kind
 * @property {number} age_days Below zero before the month's end.
 * @property {number} generation
 * @property {string} as_of
 * @property {number | null} trips
 * @property {number | null} contracted_trips
 * @property {number | null} undetermined_trips
 * @property {number | null} in_house_pct
 * @property {number | null} in_house_pct_low
 * @property {number | null} in_house_pct_high
 * @property {number | null} cost_cents
 * @property {number | null} contracted_cost_cents
 * @property {boolean} suppressed
 * @property {MeasureValue[]=} measures Those that are declared alike.
 */
/** @typedef {{in_house_pct: number, since: string, verdict: "above" | "below" | "not_decided"}} Goal Since a month. */

/**
 * By how much a total differs from what it was in an earlier generation.
 * @typedef {object} Change
 * @property {number} generation
 * @property {string} as_of
 * @property {number | null} trips
 * @property {number | null} in_house_pct In percentage points.
 * @property {number | null} cost_cents
 * @property {number | null} contracted_cost_cents
 * @property {boolean} suppressed
 */

/**
 * @typedef {object} Numbers
 * @property {Asked} filter
 * @property {Sums} total
 * @property {MonthSums[]} by_month
 * @property {TripTypeSums[]} by_trip_type
 * @property {RegionSums[]} by_region
 * @property {BasisSums[] | null} by_basis
 * @property {string | null} settles_on
 * @property {string | null} next_expected
 * @property {Goal | null} goal
 * @property {Comparison | null} comparison
 * @property {Change | null} since
 * @property {DeclaredMeasure[]=} measures
 */
/** @typedef {Origin & Numbers} KPI */

/**
 * The months of a group of trips; each list has one number for each of `months`.
 * @typedef {object} Trend
 * @property {(number | null)[]} trips
 * @property {(number | null)[]} in_house_pct
 * @property {(number | null)[]} in_house_pct_low
 * @property {(number | null)[]} in_house_pct_high
 * @property {(number | null)[]} cost_cents
 * @property {(number | null)[]} contracted_cost_cents
 * @property {(number | null)[]} cost_per_trip_cents
 * @property {boolean} suppressed
 * @property {TrendMeasure[]=} measures
 */
/** @typedef {{name: string, values: (number | null)[], known_trips: number[]}} TrendMeasure */
/** @typedef {Trend & {region: string, label: string}} RegionTrend */
/** @typedef {Trend & {trip_type: string, label: string}} TripTypeTrend */
/**
 * @typedef {object} TrendLists
 * @property {Asked} filter
 * @property {string[]} months
 * @property {(number | null)[]} goal_pct
 * @property {Trend} total
 * @property {RegionTrend[]} regions
 * @property {TripTypeTrend[]} trip_types
 * @property {DeclaredMeasure[]=} measures
 */
/** @typedef {Origin & TrendLists} Trends */

/** @typedef {{month: string, label: string, fiscal_year: number, month_open: boolean, settles_on: string}} Month */
/** @typedef {{generation: number, months: Month[]}} MonthList */
/** @typedef {{trip_type: string, label: string}} TripType */
/** @typedef {{generation: number, trip_types: TripType[]}} TripTypeList */
/** @typedef {{region: string, label: string}} Region */
/** @typedef {{generation: number, regions: Region[]}} RegionList */
/** @typedef {"viewer" | "administrator" | "analyst" | "privacy_officer"} Role */
/** @typedef {{name: string | null, roles: Role[], regions: string[] | null, national_totals: boolean}} Me */

/**
 * @typedef {object} ListedTrip
 * @property {string} ref
 * @property {string} pickup_date
 * @property {string} month
 * @property {string} trip_type
 * @property {string} region
 * @property {Class} class
 * @property {string} basis
 * @property {string | null} provider
 * @property {number | null} loaded_miles_hundredths
 */
/** @typedef {Origin & {filter: Asked, total: number, trips: ListedTrip[], next: string | null}} TripPage */

/**
 * @typedef {object} TripRecord
 * @property {string} ref
 * @property {string} picked_up_at
 * @property {string} month
 * @property {string} trip_type
 * @property {string} region
 * @property {Class} class
 * @property {string} basis
 * @property {boolean} counted
 * @property {string | null} provider
 * @property {number | null} loaded_miles_hundredths
 * @property {{id: string, because: string} | null} rule
 * @property {Record<"patient_id" | "provider_npi" | "cost", string | null>} masked
 * @property {number} other_versions
 */
/** @typedef {Origin & TripRecord} Trip */
/** @typedef {{generation: number, ref: string, field: string, value: string | number | null, show_for_seconds: number}} Revealed */

/**
 * What a region or a trip type contributed to a change; one without a name stands for the groups
 * that are hidden, taken together. The number is hundredths of a point, or cents.
 * @typedef {object} Part
 * @property {string | null} [region]
 * @property {string | null} [trip_type]
 * @property {string | null} label
 * @property {"rate" | "mix"} kind
 * @property {number} [hundredths]
 * @property {number} [cents]
 */
/**
 * @typedef {object} ShareChange
 * @property {number | null} from_pct
 * @property {number | null} to_pct
 * @property {number | null} change_hundredths
 * @property {number | null} from_undetermined_trips
 * @property {number | null} to_undetermined_trips
 * @property {Part[] | null} by_region
 * @property {Part[] | null} by_trip_type
 */
/**
 * @typedef {object} CostChange
 * @property {number | null} from_cents
 * @property {number | null} to_cents
 * @property {number | null} change_cents
 * @property {number | null} from_uncosted_trips
 * @property {number | null} to_uncosted_trips
 * @property {Part[] | null} by_region
 * @property {Part[] | null} by_trip_type
 */
/**
 * @typedef {object} Changes
 * @property {Asked} filter
 * @property {boolean} from_open
 * @property {boolean} to_open
 * @property {ShareChange} in_house
 * @property {CostChange} contracted_cost
 */
/** @typedef {Origin & Changes} Why */

/**
 * What moved the numbers from the generation before, cause by cause.
 * @typedef {object} CauseOfChange
 * @property {string} kind
 * @property {string} cause In words; of an edit, what was edited.
 * @property {number} trips
 * @property {number | null} in_house_hundredths
 * @property {number} cost_cents
 * @property {number | null} contracted_cost_cents
 */
/** @typedef {{trips: number, in_house_pct: number | null, cost_cents: number, contracted_cost_cents: number | null}} EndNumbers */
/** @typedef {EndNumbers & {generation: number, as_of: string}} EarlierEnd */
/**
 * A declared measure in two generations.
 * @typedef {object} ComparedMeasure
 * @property {"same" | "declared_since" | "no_longer_declared" | "declared_otherwise"} comparison
 * @property {number | null} before
 * @property {number | null} after
 * @property {number | null} change Null where they cannot be compared.
 * @property {number | null} before_known_trips
 * @property {number | null} after_known_trips
 */
/** @typedef {DeclaredMeasure & ComparedMeasure} MeasureOfChange */
/**
 * @typedef {object} CauseList
 * @property {EarlierEnd} from
 * @property {EndNumbers} to
 * @property {CauseOfChange[]} causes
 * @property {MeasureOfChange[]=} measures Missing where neither generation declares any.
 */
/** @typedef {Origin & {filter: Asked, changes: CauseList | null}} GenerationChanges */

/**
 * @typedef {object} RequestedRun
 * @property {string} id
 * @property {string | null} plan
 * @property {string} requested_by
 * @property {string} requested_at
 * @property {"waiting" | "running" | "cancelling" | "published" | "unchanged" | "failed" | "cancelled"} state
 * @property {string | null} running_since
 * @property {{name: string, done: number, total: number | null} | null} stage
 * @property {string | null} ended_at
 * @property {number | null} run
 * @property {number | null} exit_code
 * @property {number | null} generation
 * @property {string | null} summary
 * @property {"worker" | "turn" | null} waiting_for
 * @property {string | null} hint
 */
/**
 * @typedef {object} ListedRun
 * @property {number} number
 * @property {"run" | "reclassify" | "rollback" | "runs work" | "other"} command
 * @property {string} started_at
 * @property {string | null} ended_at
 * @property {string} outcome
 * @property {number | null} exit_code
 * @property {number | null} generation
 */
/** @typedef {{requests: RequestedRun[], runs: ListedRun[]}} RunList */

/**
 * A saved plan and what it would change.
 * @typedef {object} Plan
 * @property {string} id
 * @property {string} made_at
 * @property {string} made_by
 * @property {number} generation The generation it was made for.
 * @property {boolean} is_current Whether that one is served.
 * @property {string[]} edits
 * @property {number} trips_changed
 * @property {number | null} trips_now What is served now; null, like the two others, where it is another generation.
 * @property {number} trips_planned
 * @property {number | null} in_house_pct_now
 * @property {number | null} in_house_pct_planned
 * @property {number | null} contracted_cost_cents_now
 * @property {number} contracted_cost_cents_planned
 */
/** @typedef {{plans: Plan[], unreadable: number}} PlanList Beside the plans, how many files are none. */

export {};
