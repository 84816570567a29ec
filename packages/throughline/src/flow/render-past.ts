/** The past as text, within what it may have. */
import type { Past } from '../domain/past.ts'
import type { View } from '../domain/view.ts'
import type { DigestedPast } from './digest-past.ts'
import type { Meter } from './measure.ts'
import { narrate } from './narrate.ts'
import { renderLedger, rootOf } from './render-ledger.ts'

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
const tries = 4
const less = 0.8

/** Null where there is room for neither. */
export async function renderPast(
  digested: DigestedPast,
  { line, keeps }: Pick<View, 'line' | 'keeps'>,
  limits: PastLimits,
  meter: Meter,
): Promise<Past | null> {
  const saidTokens = Math.max(0, limits.saidTokens)
  const root = rootOf(digested.ledger.entries)
  const summary = await within(limits.summaryTokens + saidTokens, meter, (tokens) => {
    const characters = tokens * charactersPerToken.summary
    const share = saidTokens / Math.max(1, limits.summaryTokens + saidTokens)
    return narrate(digested.rowsBefore(line), {
      saidCharacters: characters * share,
      otherCharacters: characters * (1 - share),
      root,
      shown: new Set(keeps),
    })
  })
  const ledger = await within(
    limits.ledgerTokens,
    meter,
    async (tokens) => renderLedger(digested.ledger, tokens * charactersPerToken.ledger).text,
  )
  return summary === '' && ledger === '' ? null : { summary, ledger }
}

/** Made with fewer characters until it has no more tokens than it may. */
async function within(
  mostTokens: number,
  meter: Meter,
  make: (tokens: number) => Promise<string>,
): Promise<string> {
  let tokens = mostTokens
  for (let attempt = 0; attempt < tries && tokens >= leastTokens; attempt += 1) {
    const text = await make(tokens)
    const counted = meter.text(text)
    if (counted <= mostTokens) return text
    tokens = Math.floor(Math.min(tokens * less, (tokens * mostTokens) / counted))
  }
  return ''
}
