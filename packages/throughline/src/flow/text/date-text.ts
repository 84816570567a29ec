/** `2026-11-15 21:10`, in UTC, for people and models to read; nothing where it is no date. */
export function dateText(ms: number): readonly string[] {
  const date = new Date(ms)
  // A clock is handed in, and may give what no calendar has.
  if (Number.isNaN(date.getTime())) return []
  return [date.toISOString().replace('T', ' ').slice(0, -secondsCharacters)]
}

const secondsCharacters = ':00.000Z'.length
