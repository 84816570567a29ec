import { defaults } from '../../defaults-data.ts'
import type { ContextMessage } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import { contentOf, type Part } from '../../domain/message.ts'
import type { DigestedTo, HistoryBlocks, View } from '../../domain/view.ts'
import { literalsInOutput } from '../../extract/literals/output-literals.ts'
import type { RenderToolLines } from '../digest/digest-text.ts'
import { type FileExcerpts, noFiles } from '../files/render-files.ts'
import { fitToTokens, withinTokens } from '../measure/fit-to-tokens.ts'
import type { SummaryMeterSource } from '../summarize/summary-meter.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { textPart } from '../text/sanitize-message.ts'
import { substringSearch } from '../text/substring-search.ts'
import type { HistoryFacts } from './extract-facts.ts'
import type { HistoryLimits } from './history-limits.ts'
import { partsOf } from './ledger-parts.ts'
import { rootOf } from './merge-files.ts'
import { type Chronicle, noChronicle, renderChronicle, requestLines } from './narrate.ts'
import { renderLedger } from './render-ledger.ts'
import { isByPerson, type StyledSummary, shownSummary, summaryText } from './styled-summary.ts'

interface RenderBlocksOptions {
  readonly limits: HistoryLimits
  readonly meter: SummaryMeterSource
  readonly messages?: readonly Pick<ContextMessage, 'seq' | 'parts'>[]
  /** Null if the digest is a chronicle. */
  readonly toolLines?: RenderToolLines | null
  /** A model's summary of the oldest messages; rules describe the rest. */
  readonly written?: StyledSummary | null
  /** The turn memory covers messages before it. */
  readonly coveredTo?: Seq
  readonly files?: FileExcerpts | null
}

interface NarrativeOptions extends RenderBlocksOptions {
  readonly shownWhole: ReadonlySet<Seq>
}

// Names have more tokens per character than words.
const charactersPerToken = 2.8

export async function renderHistoryBlocks(
  facts: HistoryFacts,
  view: Pick<View, 'line' | 'keeps' | 'stubs'>,
  options: RenderBlocksOptions,
): Promise<Omit<HistoryBlocks, 'createdAt' | 'updatedAt'> | null> {
  const { limits, meter, messages = [] } = options
  const stubs = new Set(view.stubs.map(({ seq }) => seq))
  const shownWhole = new Set(
    messages.flatMap(({ seq }) => (seq === null || stubs.has(seq) ? [] : seq)),
  )
  const narrative = await renderNarrative(facts, view, { ...options, shownWhole })
  const hasLedger = limits.ledgerTokens >= defaults.summaryLeastTokens
  const isReplaced = hasLedger && narrative.written === null && isFragment(narrative, view)
  const requests = requestsText(narrative)
  const { text: files, holders } =
    (await options.files?.render({
      maxTokens: limits.filesTokens,
      root: rootOf(partsOf(facts.ledger).files),
      isShown: (seq) => shownWhole.has(seq),
    })) ?? noFiles
  // The ledger need not repeat names that are shown anyway.
  const texts = [isReplaced ? '' : narrative.text, requests, files].map(textPart)
  const isNamed = nameSearch([...messages.flatMap(({ parts }) => parts), ...texts])
  const digestTokens = isReplaced ? limits.summaryTokens : 0
  const ledgerTokens = limits.ledgerTokens - narrative.rulesTokens + digestTokens
  const ledger = await withinTokens(ledgerTokens, charactersPerToken, meter, (characters) =>
    renderLedger(facts.ledger, {
      characters,
      isNamed,
      shownPlaces: new Set([...shownWhole, ...narrative.whole]),
      holders,
    }),
  )
  const ledgerText = ledger?.text ?? ''
  const summary = isReplaced && ledgerText !== '' ? '' : narrative.text
  if (summary === '' && files === '' && ledgerText === '' && requests === '') return null
  return {
    requests,
    requestsCut: narrative.isCut,
    summary,
    described: narrative.digest === null ? narrative.described : null,
    ledger: ledgerText,
    files,
    ledgerTo: facts.ledger.to,
    entries: facts.ledger.entries.length,
    entriesShown: (ledger?.shown ?? 0) + narrative.listed,
    digest: narrative.digest,
    written: narrative.written,
  }
}

/** The label and delimiters around a text of the block, about. */
export const blockFrameTokens = 32

/** What applies comes first, then the messages that are quoted. */
function requestsText({ rules, requests }: Pick<Narrative, 'rules' | 'requests'>): string {
  if (rules.length === 0) return requestLines(requests)
  const listed = `${rulesHeading}\n${requestLines(rules)}`
  return requests.length === 0 ? listed : `${listed}\n${quotesHeading}\n${requestLines(requests)}`
}

function nameSearch(shown: readonly Part[]): (label: string) => boolean {
  const names = new Set(shown.flatMap(namesIn))
  const text = shown.flatMap(contentOf).join('\n')
  const isInText = text.length <= maxSearchedCharacters ? substringSearch(text) : () => false
  const known = new Map<string, boolean>()
  return (label) => getOrMake(known, label, () => names.has(label) || isInText(label))
}

// In a large window, searching costs more than a name that is repeated.
const maxSearchedCharacters = 100_000

/** A few lines about many messages: the ledger says more in that room. */
function isFragment({ text, digest, described }: Narrative, { line }: LineAndKeeps): boolean {
  return digest === null && described < line && text.length < minDigestCharacters
}

const minDigestCharacters = 300

const rulesHeading =
  '[rules, wishes, decisions and facts that still apply, from messages left out below]'
const quotesHeading = '[messages, oldest first; others left out]'

interface Narrative extends Omit<Chronicle, 'others'> {
  readonly text: string
  readonly digest: DigestedTo | null
}

type LineAndKeeps = Pick<View, 'line' | 'keeps'>

/** A model's summary comes first; rules describe the messages after it. */
async function renderNarrative(
  facts: HistoryFacts,
  view: LineAndKeeps,
  options: NarrativeOptions,
): Promise<Narrative & Pick<HistoryBlocks, 'written'>> {
  const { limits, meter, written = null, coveredTo = 0 } = options
  if (written === null)
    return { ...(await narrateByRules(facts, view, options, coveredTo)), written: null }
  const { to } = written.record.covers
  const hasUnsummarized = to < view.line
  // A summary that a person wrote by hand counts as the user's words.
  const userTextTokens = isByPerson(written.record)
    ? Math.floor(Math.max(0, limits.userTextTokens))
    : 0
  const roomTokens = limits.modelSummaryTokens + userTextTokens
  // Later messages do not shorten the summary: the user's words have room of their own.
  const text = summaryText(written, roomTokens - joinTokens, meter)
  const leftTokens = Math.max(0, roomTokens - meter.text(text) - joinTokens)
  const summaryTokens = hasUnsummarized ? Math.min(leftTokens, limits.summaryTokens) : 0
  const userTokensLeft =
    userTextTokens === 0 ? limits.userTextTokens : Math.max(0, leftTokens - summaryTokens)
  const limitsLeft = { ...limits, summaryTokens, userTextTokens: userTokensLeft }
  const from = Math.max(to, coveredTo)
  const rest = await narrateByRules(facts, view, { ...options, limits: limitsLeft }, from)
  return {
    ...rest,
    text: fitToTokens(
      [text, rest.text].filter((each) => each !== '').join('\n\n'),
      Math.max(0, limits.modelSummaryTokens) +
        Math.max(0, limits.userTextTokens, limits.userOpeningsTokens) -
        Math.max(0, meter.text(requestsText(rest)) - rest.rulesTokens),
      meter,
    ),
    // The next summary covers other messages, so the next digest cannot continue this one.
    digest: null,
    written: shownSummary(written.record, rest.text !== ''),
  }
}

/** Joined texts may have more tokens than their parts have. */
const joinTokens = 4

const quotedCharacters = 40

/** Messages before `from` are described elsewhere. */
async function narrateByRules(
  facts: HistoryFacts,
  view: LineAndKeeps,
  { limits, meter, shownWhole, toolLines = null }: NarrativeOptions,
  from: Seq,
): Promise<Narrative> {
  if (toolLines === null) {
    const options = { limits, meter, othersFrom: from, shownWhole }
    const { others, ...chronicle } = await renderChronicle(facts, view, options)
    return { ...chronicle, text: others, digest: null }
  }
  if (view.line <= from) return { ...noChronicle, text: '', digest: null }
  const { text, digest } = await toolLines(from, view.line, limits.summaryTokens)
  // Tool lines count the user's messages but do not quote them.
  const rest = { ...limits, summaryTokens: 0 }
  const isQuoted = (words: string) => text.includes(words.slice(0, quotedCharacters))
  const quoting = { limits: rest, meter, othersFrom: from, shownWhole, isQuoted }
  // Messages that the tool lines quote in part are not repeated here.
  return { ...(await renderChronicle(facts, view, quoting)), isCut: true, text, digest }
}

// Most messages are shown again in the next round and the next epoch.
const namesByPart = new WeakMap<Part, readonly string[]>()

function namesIn(part: Part): readonly string[] {
  // Not every provider takes reasoning back.
  if (part.type === 'reasoning') return []
  return getOrMake(namesByPart, part, () =>
    literalsInOutput(contentOf(part).join('\n')).map(({ text }) => text),
  )
}
