/** What stands behind an anchor, whole, a page at a time. */
import { defaults } from '../defaults-data.ts'
import { loadConversation, recordRequest } from '../derived/state.ts'
import type { Seq } from '../domain/ids.ts'
import type { LedgerEntry } from '../domain/ledger.ts'
import type { Expanded } from '../domain/recall.ts'
import {
  type Anchor,
  type AnchorRange,
  anchorRangesAt,
  anchorRangesOf,
  anchorsOf,
  type Span,
  spansOf,
  wholeNumber,
} from '../domain/span.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import type { PageLimit } from '../flow/recall/fill-page.ts'
import { readPage } from './read-page.ts'
import type { Internals, Runtime } from './runtime.ts'
import { summaryById } from './summary.ts'

/**
 * An anchor, or several in one string (`#3, #17-#19`); a summary or its id, for what it told;
 * an entry of the ledger, for where it stands.
 */
export type Expandable = Anchor | SummaryRecord | LedgerEntry

/** The options of `chat.expand`. */
export interface ExpandOptions {
  /** The most messages of a page. */
  readonly limit?: number | undefined
  /** The most tokens of a page's text. */
  readonly tokens?: number | undefined
  /** Whose tokens they are; without it they are estimated, rather too many than too few. */
  readonly model?: string | undefined
}

/** Null where nothing stands there. A result comes with its call, which says what it is of. */
export async function expand(
  chat: Internals,
  { anchor, options }: { readonly anchor: Expandable; readonly options: ExpandOptions },
): Promise<Expanded | null> {
  const asked = checkOptions(options, ['limit', 'tokens', 'model'], 'expand')
  const limit = await limitOf(asked, chat.runtime)
  const pageMessages = limit === null ? defaults.pageExpand.value : defaults.pageExpandMost.value
  const conversation = await loadConversation(chat.store, chat.id)
  const ranges = withinLog(await anchorRangesFor(chat, anchor), conversation?.head ?? 0)
  const messages = Math.max(1, wholeNumber(asked.limit ?? pageMessages))
  const page = await readPage(chat, ranges, { messages, limit })
  if (page === null) return null
  const { pieces, text } = page.filled
  noteExpanded(chat, spansOf(pieces.map(({ seq }) => seq)))
  const next = page.rest.length === 0 ? null : anchorsOf(page.rest)
  return { messages: page.messages, pieces, text, next }
}

async function limitOf(
  { tokens, model }: ExpandOptions,
  runtime: Runtime,
): Promise<PageLimit | null> {
  if (model !== undefined && (typeof model !== 'string' || model === ''))
    throw invalidOption('expand: model must be a name')
  if (tokens === undefined) return null
  const mostTokens = Math.max(1, wholeNumber(tokens))
  const { text } = await (model === undefined ? runtime.estimate() : runtime.meter(model))
  return { mostTokens, count: text }
}

async function anchorRangesFor(
  chat: Internals,
  anchor: Expandable,
): Promise<readonly AnchorRange[]> {
  const { id } = chat
  if (typeof anchor === 'string' && summaryId.test(anchor)) {
    const summary = await summaryById(chat, anchor)
    return summary === null ? [] : anchorRangesOf(summary.told, id)
  }
  if (typeof anchor !== 'object' || anchor === null) return anchorRangesOf(anchor, id)
  if ('sources' in anchor) return anchorRangesAt(anchor.sources)
  return anchorRangesOf('told' in anchor ? anchor.told : anchor, id)
}

const summaryId = /^[0-9a-f]{32}$/

function withinLog(ranges: readonly AnchorRange[], head: Seq): readonly AnchorRange[] {
  return ranges
    .map((range) => ({ ...range, to: Math.min(range.to, head) }))
    .filter(({ from, to }) => from < to)
}

/** What somebody looked up, for the hindsight of receipts. Whoever reads waits for no writing. */
export function noteExpanded({ store, id, runtime }: Internals, spans: readonly Span[]): void {
  runtime.background.run(async () => {
    for (const expanded of spans) await recordRequest(store, { id, expanded })
  })
}
