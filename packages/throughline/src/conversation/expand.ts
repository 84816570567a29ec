/** What stands behind an anchor, whole, a page at a time. */
import { defaults } from '../defaults-data.ts'
import { loadConversation, recordRequest } from '../derived/state.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
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
import type { TenantStore } from '../ports/store.ts'
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
  { store, id, runtime }: Internals,
  asked: { readonly anchor: Expandable; readonly options: ExpandOptions },
): Promise<Expanded | null> {
  const { limit, tokens, model } = checkOptions(
    asked.options,
    ['limit', 'tokens', 'model'],
    'expand',
  )
  const most = await limitOf(tokens, model, runtime)
  const pageMessages = most === null ? defaults.pageExpand.value : defaults.pageExpandMost.value
  const conversation = await loadConversation(store, id)
  const ranges = await anchorRangesFor(store, id, asked.anchor)
  const shown = withinLog(ranges, conversation?.head ?? 0)
  const page = await readPage(store, id, shown, {
    messages: Math.max(1, wholeNumber(limit ?? pageMessages)),
    limit: most,
  })
  if (page === null) return null
  const { pieces, text } = page.filled
  noteExpanded(store, id, spansOf(pieces.map(({ seq }) => seq)), runtime)
  return {
    messages: page.messages,
    pieces,
    text,
    next: page.rest.length === 0 ? null : anchorsOf(page.rest),
  }
}

async function limitOf(
  tokens: number | undefined,
  model: string | undefined,
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
  store: TenantStore,
  id: ConversationId,
  anchor: Expandable,
): Promise<readonly AnchorRange[]> {
  if (typeof anchor === 'string' && summaryId.test(anchor)) {
    const summary = await summaryById(store, id, anchor)
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
export function noteExpanded(
  store: TenantStore,
  id: ConversationId,
  spans: readonly Span[],
  { background }: Runtime,
): void {
  background.run(async () => {
    for (const expanded of spans) await recordRequest(store, { id, expanded })
  })
}
