/**
 * A rule digest as text: what it stands for, the counters, then the updates. Where there is
 * room for less, older lines go into the counters; the newest are the last to go.
 */
import { defaults } from '../../defaults.ts'
import type { DigestLine, DigestUpdate, RuleDigest } from '../../domain/rule-digest.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { condenseLines } from '../digest/digest-text.ts'
import { countsText } from './counts-text.ts'
import { omittedMark, summaryHeader } from './summarize-dropped.ts'

/** Never more than it may have; empty where there is not even room to say that it is left out. */
export function digestText(
  digest: RuleDigest,
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  if (mostTokens < defaults.summaryLeastTokens.value)
    return meter.text(omittedMark) <= mostTokens ? omittedMark : ''
  return fitToTokens(
    written(condensedTo(digest, mostTokens, meter), mostTokens, meter),
    mostTokens,
    meter,
  )
}

/** With as many of its newest lines as there is room for, and the rest as counters. */
export function condensedTo(
  digest: RuleDigest,
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): RuleDigest {
  const lines = digest.updates.flatMap((update) => update.lines)
  const costs = lines.map(() => 0)
  let from = Math.max(0, lines.length - linesMax)
  let left = mostTokens - meter.text(summaryHeader(digest.items))
  for (let at = lines.length - 1; at >= from; at -= 1) {
    costs[at] = meter.text(`${lines[at]?.text ?? ''}\n`)
    left -= costs[at] ?? 0
    if (left < 0) from = at + 1
  }
  for (;;) {
    const condensed = withoutOldest(digest, lines, from)
    const over = meter.text(written(condensed, mostTokens, meter)) - mostTokens
    if (over <= 0 || from >= lines.length) return condensed
    // One line less at least, and as many as would have to go by what each costs.
    let gone = 0
    do gone += costs[from++] ?? 0
    while (gone < over && from < lines.length)
  }
}

/** A meter that counts nothing would keep them all. */
const linesMax = 400

function withoutOldest(digest: RuleDigest, lines: readonly DigestLine[], from: number): RuleDigest {
  if (from === 0) return digest
  let before = 0
  const updates = digest.updates.flatMap((update): readonly DigestUpdate[] => {
    const kept = update.lines.slice(Math.max(0, from - before))
    before += update.lines.length
    return kept.length === 0 ? [] : [{ ...update, lines: kept }]
  })
  return { ...digest, updates, condensed: condenseLines(digest.condensed, lines.slice(0, from)) }
}

// Counters are for what is gone: they do not push out what could still be told, and have what is left.
const countsShare = 0.4

function written(digest: RuleDigest, mostTokens: number, meter: Pick<Meter, 'text'>): string {
  const rest = mostTokens - meter.text(withCounts(digest, ''))
  const share = mostTokens * countsShare
  const wide = withCounts(digest, countsText(digest.condensed, Math.max(rest, share), meter))
  // Joined texts may have more tokens than their parts have.
  if (rest <= share || meter.text(wide) <= mostTokens) return wide
  return withCounts(digest, countsText(digest.condensed, share, meter))
}

function withCounts({ items, updates }: RuleDigest, counts: string): string {
  const header = summaryHeader(items)
  const top = counts === '' ? header : `${header}\n${counts}`
  return updates.reduce((text, { version, lines }) => {
    const told = lines.map((line) => line.text).join('\n')
    // The first one follows its header, as long as nothing stands between them.
    if (version === 1 && counts === '') return `${text}\n${told}`
    return `${text}\n\n[Update ${version}]\n${told}`
  }, top)
}
