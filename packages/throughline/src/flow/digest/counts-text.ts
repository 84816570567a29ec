/**
 * The counters of a rule digest as lines, within what they may have: with fewer subjects where
 * there is little room, then with fewer lines. Every counter is in some line, whatever the room.
 */
import type { DigestCount } from '../../domain/rule-digest.ts'
import { formatFacts } from '../../extract/describe-tool-use.ts'
import type { Meter } from '../measure/measure.ts'
import { mergedCounts } from '../digest/digest-text.ts'

const heading = '[Condensed history]'
/** Subjects of each line; what people wanted is told longest. */
const levels = [
  { people: 3, tools: 3 },
  { people: 3, tools: 2 },
  { people: 2, tools: 1 },
  { people: 1, tools: 0 },
] as const
const bare = { people: 0, tools: 0 } as const

interface Level {
  readonly people: number
  readonly tools: number
}

/** Empty where nothing is counted. */
export function countsText(
  counts: readonly DigestCount[],
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  if (counts.length === 0) return ''
  let shown = ordered(counts)
  for (;;) {
    for (const level of [...levels, bare]) {
      const text = linesOf(shown, level)
      if (meter.text(text) <= mostTokens) return text
    }
    const fewer = withOneLess(shown)
    if (fewer === null) return linesOf(shown, bare)
    shown = fewer
  }
}

const voices = ['user', 'assistant', 'tool'] as const

/** People first, then the tools that were used most. */
function ordered(counts: readonly DigestCount[]): readonly DigestCount[] {
  return voices.flatMap((voice) =>
    counts
      .filter(({ by }) => by === voice)
      .toSorted((left, right) => right.count - left.count || (left.tool < right.tool ? -1 : 1)),
  )
}

function withOneLess(counts: readonly DigestCount[]): readonly DigestCount[] | null {
  const people = counts.filter(({ by }) => by !== 'tool')
  const tools = counts.filter(({ by }) => by === 'tool')
  if (tools.length < 2) return null
  return [...people, ...tools.slice(0, -2), mergedCounts(tools.slice(-2))]
}

function linesOf(counts: readonly DigestCount[], { people, tools }: Level): string {
  const lines = counts.map((count) => countLine(count, count.by === 'tool' ? tools : people))
  return [heading, ...lines].join('\n')
}

function countLine(
  { by, tool, count, failed, first, newest }: DigestCount,
  subjects: number,
): string {
  const told = subjects === 0 ? [] : newest.slice(-subjects).reverse()
  const begins = subjects === 0 || first === '' || told.includes(first) ? [] : [`First: ${first}`]
  const inVain = failed === 0 ? '' : `, ${failed} failed`
  return formatFacts(`${by === 'tool' ? tool : by} ×${count}${inVain}`, [...begins, ...told])
}
