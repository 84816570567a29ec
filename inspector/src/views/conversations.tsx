/** All conversations: search, the use of their windows, compactions, cost; forks and sub-agents below their source. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, call } from '../data/api.ts'
import { ago, count, number, percent, short } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { OverviewItem, Page } from '../data/types.ts'
import { errorOf } from '../data/use-loaded.ts'
import { Gauge } from '../parts/gauge.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'

interface TreeRow extends OverviewItem {
  readonly depth: number
  readonly relation: 'fork' | 'sub-agent' | null
}

const pageItems = 100
/** More are found by the search. */
const mostItems = 1000

interface ConversationsProps {
  /** Grows with each import. */
  readonly version: number
  readonly folder: string | null
}

export function ConversationsView({ version, folder }: ConversationsProps) {
  const [search, setSearch] = useState('')
  const [items, setItems] = useState<readonly OverviewItem[] | null>(null)
  const [more, setMore] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const wanted = useRef(search)
  wanted.current = search
  useEffect(() => {
    const ending = new AbortController()
    const load = async () => {
      const all: OverviewItem[] = []
      let cursor: string | undefined
      do {
        const page: Page<OverviewItem> = await call('/v1/overview', {
          query: { limit: pageItems, cursor, ...(search !== '' && { search }) },
          signal: ending.signal,
        })
        all.push(...page.items)
        cursor = page.next ?? undefined
        setItems([...all])
      } while (cursor !== undefined && all.length < mostItems)
      setMore(cursor !== undefined)
      setFailure(null)
    }
    const timer = setTimeout(
      () =>
        load().catch((error: unknown) => {
          if (!ending.signal.aborted) setFailure(errorOf(error))
        }),
      search === '' ? 0 : 200,
    )
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [search, version])
  const rows = treeOf(items ?? [])
  const messages = rows.reduce((sum, { conversation }) => sum + conversation.head, 0)
  return (
    <div class="column wide">
      <header class="list-head">
        <h1>Conversations</h1>
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search by title or id"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </header>
      {failure !== null && <Failure error={failure} />}
      {items === null && failure === null && <Loading rows={6} />}
      {items !== null && rows.length === 0 && (
        <Empty title={search === '' ? 'No conversation yet' : 'Nothing found'}>
          {search === '' ? (
            <>
              Append a message with one of <a href="#/calls">these calls</a>, or drop a transcript
              onto this page.
            </>
          ) : (
            `No title and no id contains “${search}”.`
          )}
        </Empty>
      )}
      {rows.length > 0 && (
        <p class="soft list-note">
          {`${count(rows.length, 'conversation')}, ${count(messages, 'message')}`}
          {folder !== null && (
            <>
              {' in '}
              <code>{folder}</code>
            </>
          )}
          . A cost unit is the price of one uncached input token; a cached token costs 0.1.
        </p>
      )}
      {rows.length > 0 && (
        <ul class="conversations">
          {rows.map((row) => (
            <Row key={row.conversation.id} row={row} />
          ))}
        </ul>
      )}
      {more && (
        <p class="soft">{`The first ${number(mostItems)} are shown; the search finds all.`}</p>
      )}
    </div>
  )
}

function Row({ row }: { readonly row: TreeRow }) {
  const { conversation, last, lastAt, compactions, cost, depth, relation } = row
  const { id, title, head, forkedFrom, parent } = conversation
  const place = relation === 'fork' && forkedFrom !== null ? ` at #${forkedFrom.at}` : ''
  const source = parent?.conversationId ?? forkedFrom?.conversationId
  return (
    <li class={`conversation depth-${Math.min(depth, 4)}`}>
      <a href={linkTo(id)}>
        <span class="conversation-name">
          <b>{title ?? id}</b>
          <span class="soft">
            {relation !== null && (
              <span class="badge">
                {`${relation}${place}`}
                {/* Below its source, the indentation says it. */}
                <span class={depth > 0 ? 'hidden' : ''}>{` of ${source}`}</span>
              </span>
            )}
            {title !== null && <code>{id}</code>}
          </span>
        </span>
        <span class="conversation-window">
          {last === null ? (
            <span class="soft">no request yet</span>
          ) : (
            <>
              <Gauge ratio={last.utilization} />
              <span class="soft">{`${percent(last.utilization)} of ${short(last.availableTokens)} tokens`}</span>
            </>
          )}
        </span>
        <span class="figure">
          <b>{number(head)}</b> <span class="soft">{head === 1 ? 'message' : 'messages'}</span>
        </span>
        <span class="figure">
          <b>{number(compactions)}</b>{' '}
          <span class="soft">{compactions === 1 ? 'compaction' : 'compactions'}</span>
        </span>
        <span
          class="figure"
          title="A cost unit is the price of one uncached input token; a cached token costs 0.1. Of the last hundred requests."
        >
          <b>{short(cost)}</b> <span class="soft">cost units</span>
        </span>
        <span class="figure soft">{ago(lastAt)}</span>
      </a>
    </li>
  )
}

/** The last active first; forks and sub-agents follow their source. */
function treeOf(items: readonly OverviewItem[]): readonly TreeRow[] {
  const known = new Set(items.map(({ conversation }) => conversation.id))
  const sourceOf = ({ conversation: { forkedFrom, parent } }: OverviewItem) => {
    const source = parent?.conversationId ?? forkedFrom?.conversationId ?? null
    return source !== null && known.has(source) ? source : null
  }
  const bySource = Map.groupBy(items, sourceOf)
  const rows: TreeRow[] = []
  const added = new Set<string>()
  const add = (source: OverviewItem['conversation']['id'] | null, depth: number) => {
    const children = (bySource.get(source) ?? []).toSorted(
      (one, other) => other.lastAt - one.lastAt,
    )
    for (const item of children) {
      const { id } = item.conversation
      if (added.has(id)) continue
      added.add(id)
      rows.push({ ...item, depth, relation: relationOf(item) })
      add(id, depth + 1)
    }
  }
  add(null, 0)
  // Programs may name each other's conversations as parents, in a circle.
  for (const item of items)
    if (!added.has(item.conversation.id))
      rows.push({ ...item, depth: 0, relation: relationOf(item) })
  return rows
}

function relationOf({ conversation: { parent, forkedFrom } }: OverviewItem): TreeRow['relation'] {
  if (parent !== null) return 'sub-agent'
  return forkedFrom === null ? null : 'fork'
}
