/** The tasks of the demonstration: a person and a coding agent work on the timetable of a ferry company. */

export interface DemonstrationTask {
  readonly request: string
  readonly file: string
  readonly symbol: string
  /** What the agent finds. */
  readonly finding: string
  readonly before: string
  readonly after: string
  /** Rows of data in the file. */
  readonly rows: number
  /** The first run of the tests fails with this. */
  readonly failure?: string
  /** The user rejects a command of the agent. */
  readonly rejected?: { readonly command: string; readonly because: string }
  readonly answer: string
}

const rules =
  'Before we start, three rules. Times are stored in UTC and shown in Europe/Oslo. Never run a migration on production; staging listens on port 47113. Fares are whole øre, never floats. Now the first task: departures of the day that summer time starts are an hour late. Please fix that.'

export const tasks: readonly DemonstrationTask[] = [
  {
    request: rules,
    file: 'src/clock/departure-time.ts',
    symbol: 'departureTime',
    finding: 'It adds a fixed offset of 60 minutes, so it is wrong on the days of the change.',
    before: 'return minutes + 60',
    after: 'return minutes + offsetMinutes("Europe/Oslo", day)',
    rows: 34,
    answer:
      'departureTime asks the time zone for the offset of that day. Departures on 29 March and 25 October 2026 are right, and two tests cover them.',
  },
  {
    request: 'The pier of Nesodden is missing in the list of stops, although its departures exist.',
    file: 'src/stops/stop-list.ts',
    symbol: 'stopList',
    finding: 'The query joins on the name, and the name has a trailing space in the import.',
    before: 'join piers on piers.name = stops.name',
    after: 'join piers on piers.id = stops.pier_id',
    rows: 48,
    answer: 'stopList joins on the id of the pier. Nesodden is listed again, as stop 1204.',
  },
  {
    request: 'A child fare of 27.5 kroner was charged as 27 kroner. Find out why.',
    file: 'src/fares/child-fare.ts',
    symbol: 'childFare',
    finding: 'It halves kroner and rounds down before it multiplies by 100.',
    before: 'return Math.floor(kroner / 2) * 100',
    after: 'return Math.ceil(ore / 2)',
    rows: 29,
    failure: 'childFare(5500): expected 2750, got 2800',
    answer: 'childFare halves øre and rounds up to a whole øre: 5,500 øre become 2,750.',
  },
  {
    request: 'Cancelled departures should stay in the answer of the API with status "cancelled".',
    file: 'src/api/departures-route.ts',
    symbol: 'departuresRoute',
    finding: 'The route filters them out; the app then shows a gap without a reason.',
    before: '.filter((each) => each.status !== "cancelled")',
    after: '.map((each) => ({ ...each, status: each.status ?? "planned" }))',
    rows: 41,
    rejected: {
      command: 'npm run migrate -- --target production',
      because:
        'No. Never run a migration on production, that was the second rule. Use staging on port 47113, and show me the result first.',
    },
    answer:
      'Cancelled departures have the status "cancelled". I tried it on staging (port 47113) only; the migration of production is yours.',
  },
  {
    request: 'The import of the spring timetable takes eleven minutes. It used to take one.',
    file: 'src/import/timetable-import.ts',
    symbol: 'importTimetable',
    finding: 'It reads the stop of every row again: 84,000 queries for 212 stops.',
    before: 'const stop = await readStop(row.stopId)',
    after: 'const stop = stopsById.get(row.stopId)',
    rows: 66,
    answer: 'importTimetable reads the 212 stops once. The import takes 48 seconds.',
  },
  {
    request: 'Passengers with a wheelchair need to see which ferries have a ramp.',
    file: 'src/fleet/ferry.ts',
    symbol: 'readFerry',
    finding: 'The fleet table has the column ramp_cm, but readFerry drops it.',
    before: 'return { name: row.name, seats: row.seats }',
    after: 'return { name: row.name, seats: row.seats, rampCm: row.ramp_cm }',
    rows: 37,
    answer:
      'readFerry returns rampCm; null means no ramp. MS Kongen has 90 cm, MS Dronningen 120 cm.',
  },
  {
    request: 'The message "boarding in 5 minutes" reached people twice yesterday at 17:10.',
    file: 'src/notices/boarding-notice.ts',
    symbol: 'sendBoardingNotice',
    finding: 'Two workers took the same job, because the lock ends after 30 seconds.',
    before: 'const lockMs = 30_000',
    after: 'const lockMs = 120_000',
    rows: 44,
    failure: 'sendBoardingNotice: expected 1 call of the gateway, got 2',
    answer:
      'A notice has a key of departure and passenger now, and the lock lasts two minutes. The second worker sends nothing.',
  },
  {
    request: 'Let us cache the timetable. Suggest something simple.',
    file: 'src/cache/timetable-cache.ts',
    symbol: 'cachedTimetable',
    finding: 'There is no cache; every request reads 1.3 MB from the database.',
    before: 'return readTimetable(day)',
    after: 'return cache.get(day) ?? cache.set(day, await readTimetable(day))',
    rows: 52,
    rejected: {
      command: 'docker run -d --name redis -p 6379:6379 redis:8',
      because:
        'Please no Redis: one more service to operate. A map in the process with a lifetime of 60 seconds is enough.',
    },
    answer:
      'We decided against Redis. cachedTimetable keeps a map in the process, at most 14 days, for 60 seconds each.',
  },
  {
    request: 'Line B21 has the wrong colour in the app since the new brand guide.',
    file: 'src/lines/line-colour.ts',
    symbol: 'lineColour',
    finding: 'The table still has #00539b for B21; the guide wants #0a7f8c.',
    before: "b21: '#00539b'",
    after: "b21: '#0a7f8c'",
    rows: 23,
    answer: 'B21 is #0a7f8c, as on page 14 of the guide. No other line changed.',
  },
  {
    request: 'The export for the county must have the distance of each crossing in metres.',
    file: 'src/export/county-export.ts',
    symbol: 'countyExport',
    finding: 'Distances are nautical miles with one digit, so metres would be too coarse.',
    before: 'distance: crossing.nauticalMiles',
    after: 'distanceMetres: Math.round(crossing.nauticalMiles * 1852)',
    rows: 58,
    answer:
      'countyExport writes distanceMetres. Aker brygge to Nesoddtangen is 6,300 m. The county expects the file by 1 December.',
  },
  {
    request: 'Searching for "Ormoya" finds nothing, people cannot type ø on their phones.',
    file: 'src/search/stop-search.ts',
    symbol: 'searchStops',
    finding: 'It compares letters exactly; ø is not decomposed by normalization.',
    before: 'name.toLowerCase().includes(query.toLowerCase())',
    after: 'folded(name).includes(folded(query))',
    rows: 39,
    failure: 'searchStops("ormoya"): expected Ormøya, got nothing',
    answer:
      'searchStops folds ø to o, å to a and æ to ae. "Ormoya", "ormøya" and "ORMOYA" find stop 1187.',
  },
  {
    request: 'The health check says ok although the database was down for ten minutes.',
    file: 'src/api/health-route.ts',
    symbol: 'healthRoute',
    finding: 'It answers 200 without any query.',
    before: 'return ok()',
    after: 'return (await database.ping(500)) ? ok() : unavailable()',
    rows: 26,
    answer: 'healthRoute asks the database with a limit of 500 ms and answers 503 if it is down.',
  },
  {
    request: 'Groups of more than 20 get a discount of 15 percent, from 1 January.',
    file: 'src/fares/group-fare.ts',
    symbol: 'groupFare',
    finding: 'The discount is 10 percent from 10 people, without a date.',
    before: 'return people >= 10 ? fare * 0.9 : fare',
    after: 'return people > 20 && day >= "2027-01-01" ? Math.round((fare * 85) / 100) : fare',
    rows: 33,
    rejected: {
      command: 'psql $PRODUCTION -c "update fares set group_discount = 15"',
      because:
        'Not in the database of production. The discount belongs into the code, with its date.',
    },
    answer:
      'groupFare gives 15 percent above 20 people from 1 January 2027, in whole øre. The database is unchanged.',
  },
  {
    request: 'Which of our tests depend on the current date? Last night three failed.',
    file: 'src/testing/fixed-clock.ts',
    symbol: 'fixedClock',
    finding: 'Three tests of the fares call Date.now() through the default clock.',
    before: 'clock = systemClock',
    after: 'clock = fixedClock("2026-11-02T09:00:00Z")',
    rows: 31,
    answer:
      'The three tests use fixedClock. A rule of the linter forbids Date.now() in tests from now on.',
  },
  {
    request: 'The map draws the crossing to Langøyene across the island of Gressholmen.',
    file: 'src/map/crossing-path.ts',
    symbol: 'crossingPath',
    finding: 'The path is a straight line between two piers.',
    before: 'return [from, to]',
    after: 'return [from, ...waypoints(from, to), to]',
    rows: 62,
    answer:
      'crossingPath follows the waypoints of the sea chart: four points lead around Gressholmen.',
  },
  {
    request: 'Tickets of the old app version 3 are refused at the gate since Monday.',
    file: 'src/tickets/ticket-code.ts',
    symbol: 'readTicketCode',
    finding: 'Version 3 writes the date with two digits for the year.',
    before: 'const day = code.slice(4, 12)',
    after: 'const day = code[3] === "3" ? "20" + code.slice(4, 10) : code.slice(4, 12)',
    rows: 45,
    failure: 'readTicketCode("OSL3261102…"): expected 20261102, got 261102…',
    answer:
      'readTicketCode reads both forms. Version 3 may be used until 31 March, then we remove the branch.',
  },
  {
    request: 'Write down who may be called at night when the service is down.',
    file: 'docs/on-call.md',
    symbol: 'onCall',
    finding: 'The page still lists people who left.',
    before: '1. Torbjørn, 2. Ingrid',
    after: '1. Ingrid (until Wednesday), 2. Amund (from Thursday)',
    rows: 18,
    answer:
      'docs/on-call.md has Ingrid until Wednesday and Amund from Thursday. Torbjørn is removed.',
  },
  {
    request: 'The app shows 26 hours for a trip that crosses midnight.',
    file: 'src/clock/trip-duration.ts',
    symbol: 'tripDuration',
    finding: 'It subtracts the times of day and adds a day when the result is negative, twice.',
    before: 'return end - start + (end < start ? 2 * day : 0)',
    after: 'return end - start + (end < start ? day : 0)',
    rows: 27,
    answer: 'tripDuration adds one day. The trip from 23:40 to 01:55 takes 2 hours 15 minutes.',
  },
]
