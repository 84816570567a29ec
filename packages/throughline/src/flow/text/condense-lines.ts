/** Lines that there is no more room for, as counters: how often, how often in vain, and about what. */
import type { DigestCount, DigestLine } from '../../domain/rule-digest.ts'

const newestTold = 3
// More tools than that are told as one: a list of all of them would grow with the conversation.
const toolsMax = 12
/** No tool is called so: a name has no space in it. */
const others = 'other tools'

/** What was counted last stands last. */
export function condenseLines(
  before: readonly DigestCount[],
  lines: readonly DigestLine[],
): readonly DigestCount[] {
  if (lines.length === 0) return before
  const counts = new Map(before.map((count) => [keyOf(count), count]))
  for (const line of lines) {
    const key = keyOf(line)
    const count = withLine(counts.get(key) ?? begun(line), line)
    counts.delete(key)
    counts.set(key, count)
  }
  return withFewTools([...counts.values()])
}

function keyOf({ by, tool }: Pick<DigestCount, 'by' | 'tool'>): string {
  return `${by} ${tool}`
}

function begun({ by, tool, subject }: DigestLine): DigestCount {
  const first = by === 'user' ? subject : ''
  return { by, tool, count: 0, failed: 0, first, newest: [] }
}

function withLine(count: DigestCount, { failed, subject }: DigestLine): DigestCount {
  return {
    ...count,
    count: count.count + 1,
    failed: count.failed + (failed ? 1 : 0),
    newest: withNewest(count.newest, [subject]),
  }
}

function withNewest(before: readonly string[], subjects: readonly string[]): readonly string[] {
  const newestFirst = [...before, ...subjects].filter((subject) => subject !== '').reverse()
  return [...new Set(newestFirst)].slice(0, newestTold).reverse()
}

/** Those that were used longest ago come together. */
function withFewTools(counts: readonly DigestCount[]): readonly DigestCount[] {
  const tools = counts.filter(({ by, tool }) => by === 'tool' && tool !== others)
  if (tools.length <= toolsMax) return counts
  const merged = new Set(tools.slice(0, tools.length - toolsMax))
  const isMerged = (count: DigestCount) => count.tool === others || merged.has(count)
  return [mergedCounts(counts.filter(isMerged)), ...counts.filter((count) => !isMerged(count))]
}

export function mergedCounts(counts: readonly DigestCount[]): DigestCount {
  return {
    by: 'tool',
    tool: others,
    count: sum(counts, 'count'),
    failed: sum(counts, 'failed'),
    first: '',
    newest: withNewest(
      [],
      counts.flatMap(({ newest }) => newest),
    ),
  }
}

function sum(counts: readonly DigestCount[], of: 'count' | 'failed'): number {
  return counts.reduce((all, count) => all + count[of], 0)
}
