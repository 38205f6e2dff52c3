// The shapes of the answers, as health-dashboard.yaml has them; names only, no code.

/**
 * @typedef {object} Sums
 * @property {number | null} trips
 * @property {number | null} in_house_trips
 * @property {number | null} contracted_trips
 * @property {number | null} undetermined_trips
 * @property {number | null} in_house_pct
 * @property {number | null} in_house_pct_low
 * @property {number | null} in_house_pct_high
 * @property {number | null} cost_cents
 * @property {number | null} contracted_cost_cents
 * @property {number | null} contracted_costed_trips
 * @property {number | null} cost_per_trip_cents
 * @property {number | null} cost_per_mile_cents
 * @property {number | null} loaded_miles_hundredths
 * @property {boolean} suppressed
 */
/** @typedef {Sums & {month: string, month_open: boolean}} MonthSums */
/** @typedef {Sums & {trip_type: string, label: string}} TripTypeSums */
/** @typedef {Sums & {region: string, label: string}} RegionSums */
/** @typedef {{class: string, basis: string, trips: number, costed_trips: number, cost_cents: number}} BasisSums */

/**
 * What an earlier month read.
 * @typedef {object} Comparison
 * @property {string} month
 * @property {"same_age" | "settled"} kind
 * @property {number | null} age_days
 * @property {string | null} as_of
 * @property {number | null} trips
 * @property {number | null} in_house_pct
 * @property {number | null} in_house_pct_low
 * @property {number | null} in_house_pct_high
 * @property {number | null} cost_cents
 * @property {number | null} [contracted_cost_cents]
 */
/** @typedef {{in_house_pct: number, since: string, verdict: "above" | "below" | "not_decided"}} Goal */

/**
 * @typedef {object} KPI
 * @property {number} generation
 * @property {string} as_of
 * @property {string | null} data_through
 * @property {boolean} stale
 * @property {boolean} synthetic
 * @property {string[]} open_months
 * @property {{from: string | null, to: string | null, trip_type: string | null, region: string | null}} filter
 * @property {Sums} total
 * @property {MonthSums[]} series
 * @property {TripTypeSums[]} by_trip_type
 * @property {RegionSums[]} by_region
 * @property {BasisSums[] | null} by_basis
 * @property {Comparison | null} [comparison]
 * @property {Goal | null} [goal]
 * @property {string | null} [settles_on]
 * @property {string | null} [next_expected]
 */

/**
 * @typedef {object} Trend
 * @property {string} [region]
 * @property {string} [trip_type]
 * @property {string} label
 * @property {(number | null)[]} trips
 * @property {(number | null)[]} in_house_pct
 * @property {(number | null)[]} in_house_pct_low
 * @property {(number | null)[]} in_house_pct_high
 * @property {(number | null)[]} cost_cents
 */
/** @typedef {{generation: number, months: string[], open_months: string[], regions: Trend[], trip_types: Trend[]}} Trends */

/** @typedef {{month: string, label: string, fiscal_year: number, month_open: boolean, settles_on: string}} Month */
/** @typedef {{name: string, roles: string[], regions: string[] | null}} Me */

/**
 * @typedef {object} ListedTrip
 * @property {string} ref
 * @property {string} date
 * @property {string} month
 * @property {string} trip_type
 * @property {string} region
 * @property {string} class
 * @property {string} basis
 * @property {string | null} provider
 * @property {number | null} loaded_miles_hundredths
 */
/**
 * @typedef {object} TripPage
 * @property {number} generation
 * @property {string} as_of
 * @property {string | null} data_through
 * @property {boolean} stale
 * @property {boolean} synthetic
 * @property {string[]} open_months
 * @property {number} total
 * @property {ListedTrip[]} trips
 * @property {string | null} next
 */

/**
 * @typedef {object} Trip
 * @property {number} generation
 * @property {boolean} synthetic
 * @property {string[]} open_months
 * @property {string} ref
 * @property {string} picked_up_at
 * @property {string} month
 * @property {string} trip_type
 * @property {string} region
 * @property {string} class
 * @property {string} basis
 * @property {boolean} counted
 * @property {string | null} provider
 * @property {number | null} loaded_miles_hundredths
 * @property {{id: string, because: string} | null} rule
 * @property {Record<"patient_id" | "provider_npi" | "cost", string | null>} masked
 * @property {number} other_versions
 */

/** @typedef {{kind: "rate" | "mix", dimension: string, value: string, label: string, hundredths?: number, cents?: number}} Part */
/**
 * @typedef {object} Why
 * @property {string} from
 * @property {string} to
 * @property {{from_pct: number, to_pct: number, change_hundredths: number, parts: Part[]}} in_house
 * @property {{from_cents: number, to_cents: number, change_cents: number, parts: Part[]}} cost
 */

/**
 * @typedef {object} RequestedRun
 * @property {string} id
 * @property {string | null} plan
 * @property {string} requested_by
 * @property {string} requested_at
 * @property {"waiting" | "running" | "cancelling" | "published" | "unchanged" | "failed" | "cancelled"} state
 * @property {{name: string, done: number, total: number | null} | null} stage
 * @property {string | null} ended_at
 * @property {number | null} generation
 * @property {string | null} summary
 */
/** @typedef {{number: number, command: string, started_at: string, ended_at: string | null, outcome: string, generation: number | null}} ListedRun */

/**
 * A saved plan, of which the server may say less.
 * @typedef {object} Plan
 * @property {string} id
 * @property {string} [made_at]
 * @property {string[]} [edits]
 * @property {number} [trips_changed]
 * @property {number} [in_house_pct_now]
 * @property {number} [in_house_pct_planned]
 * @property {number} [cost_cents_changed]
 */

export {};
