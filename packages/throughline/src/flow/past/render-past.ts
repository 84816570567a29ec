import type { ContextMessage } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import { contentOf, type Part } from '../../domain/message.ts'
import type { DigestedTo, Past, View } from '../../domain/view.ts'
import { literalsInOutput } from '../../extract/literals/output-literals.ts'
import type { RenderToolLines } from '../digest/digest-text.ts'
import type { RenderFiles } from '../files/render-files.ts'
import { fitToTokens, withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { textPart } from '../text/sanitize-message.ts'
import type { PastFacts } from './extract-facts.ts'
import { rootOf } from './merge-files.ts'
import { type Chronicle, renderChronicle } from './narrate.ts'
import type { PastLimits } from './past-limits.ts'
import { renderLedger } from './render-ledger.ts'
import { isByPerson, type StyledSummary, summaryText, writtenPast } from './written-past.ts'

export type RenderedPast = Omit<Past, 'createdAt' | 'updatedAt'>

interface RenderPastOptions {
  readonly limits: PastLimits
  readonly meter: Pick<Meter, 'text'>
  readonly messages?: readonly Pick<ContextMessage, 'seq' | 'parts'>[]
  /** Null where the narrative is a chronicle. */
  readonly toolLines?: RenderToolLines | null
  /** What a model has written of the beginning; rules describe the rest. */
  readonly written?: StyledSummary | null
  /** Messages before it are covered by what an agent remembers of its turns. */
  readonly coveredTo?: Seq
  readonly files?: RenderFiles | null
}

// Names are cut finer than words.
const charactersPerToken = 2.8

export async function renderPast(
  facts: PastFacts,
  view: Pick<View, 'line' | 'keeps' | 'stubs'>,
  options: RenderPastOptions,
): Promise<RenderedPast | null> {
  const { limits, meter, messages = [], files: renderFiles = null } = options
  const narrative = await renderNarrative(facts, view, options)
  const stubbed = new Set(view.stubs.map(({ seq }) => seq))
  const whole = new Set(
    messages.flatMap(({ seq }) => (seq === null || stubbed.has(seq) ? [] : [seq])),
  )
  const files =
    (await renderFiles?.({
      mostTokens: limits.filesTokens,
      root: rootOf(facts.ledger.entries),
      isShown: (seq) => whole.has(seq),
    })) ?? ''
  const texts = [narrative.text, narrative.named, files]
  // The exact names in what is shown need not be in the ledger.
  const shown = [...messages.flatMap(({ parts }) => parts), ...texts.map(textPart)]
  const beside = new Set(shown.flatMap(namesIn))
  const ledgerTokens = limits.ledgerTokens + narrative.rulesTokens
  const ledger = await withinTokens(ledgerTokens, charactersPerToken, meter, (characters) =>
    renderLedger(facts.ledger, {
      characters,
      saidCharacters: (characters * narrative.rulesTokens) / Math.max(1, ledgerTokens),
      shownNames: beside,
      shownPlaces: new Set([...whole, ...narrative.whole]),
    }),
  )
  const known = [narrative.named, ledger?.text ?? ''].filter((each) => each !== '').join('\n')
  if (narrative.text === '' && files === '' && known === '') return null
  return {
    summary: narrative.text,
    ledger: known,
    files,
    ledgerTo: facts.ledger.to,
    entriesShown: ledger?.shown ?? 0,
    digest: narrative.digest,
    written: narrative.written,
  }
}

interface Narrative extends Chronicle {
  /** Messages of users that it has no line for, each with its anchor and its first words. */
  readonly named: string
  readonly digest: DigestedTo | null
}

type LineAndKeeps = Pick<View, 'line' | 'keeps'>

/** What a model has written comes first; rules write of what came after it. */
async function renderNarrative(
  facts: PastFacts,
  view: LineAndKeeps,
  options: RenderPastOptions,
): Promise<Narrative & Pick<Past, 'written'>> {
  const { limits, meter, written = null, coveredTo = 0 } = options
  if (written === null)
    return { ...(await narrateByRules(facts, view, options, coveredTo)), written: null }
  const { to } = written.record.covers
  const hasRest = to < view.line
  // What a person has written by hand is what a user has said.
  const saidTokens = isByPerson(written.record) ? Math.floor(Math.max(0, limits.saidTokens)) : 0
  const roomTokens = limits.writtenTokens + saidTokens
  // It is not cut for what came after it: what users said there has room of its own.
  const text = summaryText(written, roomTokens - joinTokens, meter)
  const leftTokens = Math.max(0, roomTokens - meter.text(text) - joinTokens)
  const summaryTokens = hasRest ? Math.min(leftTokens, limits.summaryTokens) : 0
  const said = saidTokens === 0 ? limits.saidTokens : Math.max(0, leftTokens - summaryTokens)
  const left = { ...options, limits: { ...limits, summaryTokens, saidTokens: said } }
  const rest = await narrateByRules(facts, view, left, Math.max(to, coveredTo))
  return {
    ...rest,
    text: fitToTokens(
      [text, rest.text].filter((each) => each !== '').join('\n\n'),
      Math.max(0, limits.writtenTokens) + Math.max(0, limits.saidTokens, limits.namesTokens),
      meter,
    ),
    // It describes what the summary does not cover, and next time that is something else.
    digest: null,
    written: writtenPast(written, rest.text !== ''),
  }
}

/** Joined texts may have more tokens than their parts have. */
const joinTokens = 4

const quotedCharacters = 40

/** `from`: messages before it are described elsewhere. */
async function narrateByRules(
  facts: PastFacts,
  view: LineAndKeeps,
  { limits, meter, toolLines = null }: RenderPastOptions,
  from: Seq,
): Promise<Narrative> {
  if (toolLines === null) {
    const chronicle = await renderChronicle(facts, view, limits, meter, from)
    return { ...chronicle, named: '', digest: null }
  }
  if (view.line <= from)
    return { text: '', whole: new Set<Seq>(), named: '', rulesTokens: 0, digest: null }
  const { text, digest } = await toolLines(from, view.line, limits.summaryTokens)
  // Counters say how many messages of users there were, and not what was in them.
  const rest = { ...limits, summaryTokens: 0, ledgerTokens: 0 }
  const isQuoted = (words: string) => text.includes(words.slice(0, quotedCharacters))
  const { whole, text: named } = await renderChronicle(facts, view, rest, meter, from, isQuoted)
  return { text, whole, named, rulesTokens: 0, digest }
}

// Most messages are shown in the next round and in the next epoch too.
const known = new WeakMap<Part, readonly string[]>()

function namesIn(part: Part): readonly string[] {
  // Reasoning is not given back by every provider.
  if (part.type === 'reasoning') return []
  return getOrMake(known, part, () =>
    literalsInOutput(contentOf(part).join('\n')).map(({ text }) => text),
  )
}
