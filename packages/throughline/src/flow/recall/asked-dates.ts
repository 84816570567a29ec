/** Finds the dates that an English question names, so that messages of those days are found. */

/** `2026-03-05` for "yesterday", "three days ago", "last Monday", "March 5th" or "5 March 2026". */
export function askedDates(question: string, at: number): readonly string[] {
  const dates = Array.from(question.toLowerCase().matchAll(datePattern), (match) =>
    dateOf(match, at),
  )
  const known = dates.filter((date) => !Number.isNaN(new Date(date).getTime()))
  return [...new Set(known.map((date) => new Date(date).toISOString().slice(0, 10)))].slice(0, 4)
}

/** A day as one term of the index, because its numbers alone are in many dates: `20260305`. */
export function dayTerm(date: string): string {
  return date.replaceAll('-', '')
}

export const months =
  'January February March April May June July August September October November December'.split(' ')
export const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const numbers = 'zero one two three four five six seven eight nine ten'.split(' ')

const monthPattern = months.map((name) => `${name}|${name.slice(0, 3)}`).join('|')
const dayPattern = '(\\d{1,2})(?:st|nd|rd|th)?'
const datePattern = new RegExp(
  [
    '\\b(\\d{4}-\\d\\d-\\d\\d|yesterday)\\b',
    `\\b(\\d{1,3}|an?|${numbers.join('|')}) (day|week)s? ago\\b`,
    `\\b(?:last|on|this) (${weekdays.join('|')})\\b`,
    `\\b(${monthPattern}) ${dayPattern}\\b(?:,? (\\d{4})\\b)?`,
    `\\b${dayPattern} (?:of )?(${monthPattern})\\b(?:,? (\\d{4})\\b)?`,
  ]
    .join('|')
    .toLowerCase(),
  'g',
)

function dateOf(match: RegExpMatchArray, at: number): number {
  const [, word, ago, unit, weekday, month, day, year, dayFirst, monthLast, yearLast] = match
  if (word !== undefined) return word === 'yesterday' ? at - dayMs : Date.parse(word)
  if (ago !== undefined) return at - countOf(ago) * (unit === 'week' ? 7 : 1) * dayMs
  if (weekday !== undefined) {
    const index = weekdays.findIndex((name) => name.toLowerCase() === weekday)
    return at - (((new Date(at).getUTCDay() - index + 6) % 7) + 1) * dayMs
  }
  const name = (month ?? monthLast ?? '').slice(0, 3)
  const index = months.findIndex((each) => each.toLowerCase().startsWith(name))
  const date = (inYear: number) => Date.UTC(inYear, index, Number(day ?? dayFirst))
  const stated = year ?? yearLast
  if (stated !== undefined) return date(Number(stated))
  const thisYear = date(new Date(at).getUTCFullYear())
  // People ask about the past.
  return thisYear <= at ? thisYear : date(new Date(at).getUTCFullYear() - 1)
}

const dayMs = 86_400_000

function countOf(text: string): number {
  if (text.startsWith('a')) return 1
  return /^\d/.test(text) ? Number(text) : numbers.indexOf(text)
}
