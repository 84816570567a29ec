/** The past as text, within what it may have (invariant 12). */
import type { ContextMessage } from '../domain/context.ts'
import type { Past } from '../domain/past.ts'
import type { View } from '../domain/view.ts'
import type { DigestedPast } from './digest-past.ts'
import { rootOf } from './file-root.ts'
import type { Meter } from './measure.ts'
import { narrate } from './narrate.ts'
import { renderLedger } from './render-ledger.ts'
import { shownNames } from './shown-names.ts'
import { textPart } from './sound-message.ts'

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

export function hasRoom({ saidTokens, summaryTokens, ledgerTokens }: PastLimits): boolean {
  return Math.max(saidTokens + summaryTokens, ledgerTokens) >= leastTokens
}

/** Null where there is room for neither. */
export async function renderPast(
  digested: DigestedPast,
  { line, keeps, stubs }: Pick<View, 'line' | 'keeps' | 'stubs'>,
  limits: PastLimits,
  meter: Pick<Meter, 'text'>,
  /** What is shown of the messages themselves. */
  messages: readonly Pick<ContextMessage, 'seq' | 'parts'>[] = [],
): Promise<Past | null> {
  const saidTokens = Math.max(0, limits.saidTokens)
  const otherTokens = Math.max(0, limits.summaryTokens)
  const root = rootOf(digested.ledger.entries)
  const stubbed = new Set(stubs.map(({ seq }) => seq))
  const shownPlaces = new Set(
    messages.flatMap(({ seq }) => (seq === null || stubbed.has(seq) ? [] : [seq])),
  )
  const tell = (said: number) =>
    within(said + otherTokens, charactersPerToken.summary, meter, async (characters) => {
      const share = said / Math.max(1, said + otherTokens)
      const narrated = await narrate(digested.rowsBefore(line), {
        saidCharacters: characters * share,
        otherCharacters: characters * (1 - share),
        root,
        shown: new Set(keeps),
      })
      return { ...narrated, whole: new Set([...shownPlaces, ...narrated.whole]) }
    })
  const words = await tell(saidTokens)
  // Where not all of it can stand word for word, rules of long ago need room too.
  const forRules = words?.saysAll === false ? Math.floor(saidTokens * rulesShare) : 0
  const fewer = forRules === 0 ? null : await tell(saidTokens - forRules)
  const narrated = fewer ?? words
  const rulesTokens = fewer === null ? 0 : forRules
  const summary = narrated?.text ?? ''
  const beside = shownNames([...messages, { parts: [textPart(summary)] }])
  const ledgerTokens = limits.ledgerTokens + rulesTokens
  const ledger = await within(ledgerTokens, charactersPerToken.ledger, meter, async (characters) =>
    renderLedger(digested.ledger, {
      characters,
      saidCharacters: (characters * rulesTokens) / Math.max(1, ledgerTokens),
      shownNames: beside,
      shownPlaces: narrated?.whole ?? shownPlaces,
    }),
  )
  if (summary === '' && (ledger?.text ?? '') === '') return null
  return {
    summary,
    ledger: ledger?.text ?? '',
    ledgerTo: digested.ledger.to,
    entriesShown: ledger?.shown ?? 0,
  }
}

const rulesShare = 0.5

/** Made with fewer characters until it has no more tokens than it may; null where it never has. */
async function within<Made extends { readonly text: string }>(
  mostTokens: number,
  perToken: number,
  meter: Pick<Meter, 'text'>,
  make: (characters: number) => Promise<Made>,
): Promise<Made | null> {
  if (mostTokens < leastTokens) return null
  let characters = mostTokens * perToken
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const made = await make(characters)
    const counted = meter.text(made.text)
    if (counted <= mostTokens) return made
    characters *= Math.min(less, mostTokens / counted)
  }
  return null
}
