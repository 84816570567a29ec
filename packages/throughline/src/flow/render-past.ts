/** The past as text, within what it may have (invariant 12). */
import type { ContextMessage } from '../domain/context.ts'
import type { Past } from '../domain/past.ts'
import type { View } from '../domain/view.ts'
import type { DigestedPast } from './digest-past.ts'
import { rootOf } from './file-root.ts'
import type { Meter } from './measure.ts'
import type { PastLimits } from './past-limits.ts'
import { renderLedger } from './render-ledger.ts'
import { shownNames } from './shown-names.ts'
import { textPart } from './sound-message.ts'
import { tellChronicle } from './tell-chronicle.ts'
import type { TellFiles } from './tell-files.ts'
import type { TellToolLines } from './tell-tool-lines.ts'
import { withinTokens } from './within-tokens.ts'

export type RenderedPast = Omit<Past, 'createdAt' | 'updatedAt'>

export interface RenderPastOptions {
  readonly limits: PastLimits
  readonly meter: Pick<Meter, 'text'>
  /** What is shown of the messages themselves. */
  readonly messages?: readonly Pick<ContextMessage, 'seq' | 'parts'>[]
  /** Null where the narrative is a chronicle. */
  readonly toolLines?: TellToolLines | null
  readonly files?: TellFiles | null
}

// Names are cut finer than words.
const charactersPerToken = 2.8

/** Null where there is room for neither. */
export async function renderPast(
  digested: DigestedPast,
  view: Pick<View, 'line' | 'keeps' | 'stubs'>,
  { limits, meter, messages = [], toolLines = null, files: tellFiles = null }: RenderPastOptions,
): Promise<RenderedPast | null> {
  const told = await tell(digested, view, { limits, meter, toolLines })
  const stubbed = new Set(view.stubs.map(({ seq }) => seq))
  const whole = new Set(
    messages.flatMap(({ seq }) => (seq === null || stubbed.has(seq) ? [] : [seq])),
  )
  const files =
    (await tellFiles?.({
      mostTokens: limits.filesTokens,
      root: rootOf(digested.ledger.entries),
      isShown: (seq) => whole.has(seq),
    })) ?? ''
  const beside = shownNames([...messages, { parts: [textPart(told.text), textPart(files)] }])
  const ledgerTokens = limits.ledgerTokens + told.rulesTokens
  const ledger = await withinTokens(ledgerTokens, charactersPerToken, meter, (characters) =>
    renderLedger(digested.ledger, {
      characters,
      saidCharacters: (characters * told.rulesTokens) / Math.max(1, ledgerTokens),
      shownNames: beside,
      shownPlaces: new Set([...whole, ...told.whole]),
    }),
  )
  if (told.text === '' && files === '' && (ledger === null || ledger.text === '')) return null
  return {
    summary: told.text,
    ledger: ledger?.text ?? '',
    files,
    ledgerTo: digested.ledger.to,
    entriesShown: ledger?.shown ?? 0,
    digest: told.digest,
  }
}

async function tell(
  digested: DigestedPast,
  view: Pick<View, 'line' | 'keeps'>,
  { limits, meter, toolLines }: Required<Omit<RenderPastOptions, 'messages' | 'files'>>,
) {
  if (toolLines === null)
    return { ...(await tellChronicle(digested, view, limits, meter)), digest: null }
  if (view.line === 0) return { text: '', whole: new Set<number>(), rulesTokens: 0, digest: null }
  const { text, digest } = await toolLines(view.line, limits.summaryTokens)
  return { text, whole: new Set<number>(), rulesTokens: 0, digest }
}
