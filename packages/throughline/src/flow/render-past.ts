/** The past as text, within what it may have (invariant 12). */
import type { Past } from '../domain/past.ts'
import type { View } from '../domain/view.ts'
import type { DigestedPast } from './digest-past.ts'
import { rootOf } from './file-root.ts'
import type { Meter } from './measure.ts'
import { narrate } from './narrate.ts'
import { renderLedger } from './render-ledger.ts'

export interface PastLimits {
  /** For what users said, word for word … */
  readonly saidTokens: number
  /** … for what else was said and done … */
  readonly summaryTokens: number
  /** … and for the ledger. */
  readonly ledgerTokens: number
}

/** With less there is nothing that would help anybody. */
const leastTokens = 50
// Names are cut finer than words.
const charactersPerToken = { summary: 3.6, ledger: 2.8 } as const
const tries = 6
const less = 0.8

/** Null where there is room for neither. */
export async function renderPast(
  digested: DigestedPast,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  limits: PastLimits,
  meter: Pick<Meter, 'text'>,
): Promise<Past | null> {
  const saidTokens = Math.max(0, limits.saidTokens)
  const summaryTokens = Math.max(0, limits.summaryTokens) + saidTokens
  const share = saidTokens / Math.max(1, summaryTokens)
  const root = rootOf(digested.ledger.entries)
  const summary = await within(summaryTokens, charactersPerToken.summary, meter, (characters) =>
    narrate(digested.rowsBefore(line), {
      saidCharacters: characters * share,
      otherCharacters: characters * (1 - share),
      root,
      shown: new Set(keeps),
    }),
  )
  let entriesShown = 0
  const ledger = await within(
    limits.ledgerTokens,
    charactersPerToken.ledger,
    meter,
    async (characters) => {
      const rendered = renderLedger(digested.ledger, characters)
      entriesShown = rendered.shown
      return rendered.text
    },
  )
  if (ledger === '') entriesShown = 0
  return summary === '' && ledger === '' ? null : { summary, ledger, entriesShown }
}

/** Made with fewer characters until it has no more tokens than it may; empty where it never has. */
async function within(
  mostTokens: number,
  perToken: number,
  meter: Pick<Meter, 'text'>,
  make: (characters: number) => Promise<string>,
): Promise<string> {
  if (mostTokens < leastTokens) return ''
  let characters = mostTokens * perToken
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const text = await make(characters)
    const counted = meter.text(text)
    if (counted <= mostTokens) return text
    characters *= Math.min(less, mostTokens / counted)
  }
  return ''
}
