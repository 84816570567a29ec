/** What is known by rules: files, commands, decisions and names, each with the messages that state it. */
import { useContext, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { count } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { LedgerEntry, Page } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Empty, Shown } from '../parts/states.tsx'
import { Meaning } from '../parts/term.tsx'

/** The order of the screen: what people decided first. */
const kinds: readonly (readonly [kind: string, title: string])[] = [
  ['constraint', 'Rules and statements'],
  ['decision', 'Decisions'],
  ['preference', 'Wishes'],
  ['correction', 'Corrections'],
  ['task', 'Requests'],
  ['question', 'Questions'],
  ['plan', 'Plan'],
  ['file', 'Files'],
  ['command', 'Commands'],
  ['failure', 'Failures'],
  ['use', 'Tools'],
  ['symbol', 'Symbols'],
  ['address', 'Addresses'],
  ['version', 'Versions'],
  ['number', 'Numbers'],
  ['amount', 'Amounts'],
  ['date', 'Dates'],
  ['hash', 'Hashes'],
  ['id', 'Ids'],
  ['name', 'Names'],
]

const shownAtFirst = 12

export function LedgerView() {
  const live = useContext(CurrentConversation)
  const [search, setSearch] = useState('')
  const id = live?.data.id ?? ''
  const ledger = useLoaded(
    `ledger ${id}`,
    (signal) => call<Page<LedgerEntry>>(pathOf(id, 'ledger'), { query: { limit: 3000 }, signal }),
    live?.stamp,
  )
  return (
    <div class="column">
      <Shown of={ledger} rows={6}>
        {({ items }) => {
          if (items.length === 0)
            return (
              <Empty title="Nothing in the ledger">
                Rules read messages for files, commands, decisions and names. They found none so
                far.
              </Empty>
            )
          const wanted = search.toLowerCase()
          const found = items.filter((each) =>
            `${each.label} ${each.value} ${each.key}`.toLowerCase().includes(wanted),
          )
          const byKind = Map.groupBy(found, ({ kind }) => kind)
          return (
            <>
              <Meaning of="ledger" />
              <label class="field">
                <span class="hidden">Search the ledger</span>
                <input
                  type="search"
                  placeholder={`Search ${count(items.length, 'entry', 'entries')}`}
                  value={search}
                  onInput={(event) => setSearch(event.currentTarget.value)}
                />
              </label>
              {found.length === 0 && <p class="soft">No entry contains “{search}”.</p>}
              {kinds.map(([kind, title]) => (
                <Kind
                  key={kind}
                  id={id}
                  title={title}
                  entries={byKind.get(kind as LedgerEntry['kind']) ?? []}
                />
              ))}
            </>
          )
        }}
      </Shown>
    </div>
  )
}

interface KindProps {
  readonly id: string
  readonly title: string
  readonly entries: readonly LedgerEntry[]
}

function Kind({ id, title, entries }: KindProps) {
  const [isAll, setAll] = useState(false)
  if (entries.length === 0) return null
  const shown = isAll ? entries.slice(0, 500) : entries.slice(0, shownAtFirst)
  return (
    <section class="ledger">
      <h2>
        {title} <span class="soft">{entries.length}</span>
      </h2>
      <ul class="entries">
        {shown.map((entry) => (
          <li key={entry.key} class={entry.status === 'retracted' ? 'struck' : ''}>
            <span class="entry-text">
              {textOf(entry)}
              {entry.status === 'retracted' && <span class="badge">superseded</span>}
            </span>
            <span class="entry-sources">
              <span class="soft">
                {entry.trust === 'user' ? 'person' : entry.trust === 'assistant' ? 'model' : 'tool'}
              </span>
              {entry.sources.slice(-3).map((seq) => (
                <a key={seq} class="anchor" href={linkTo(id, 'messages', seq)}>{`#${seq}`}</a>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {entries.length > shown.length && !isAll && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {`Show all ${entries.length}`}
        </button>
      )}
    </section>
  )
}

/** A mere mention has no value. */
function textOf({ kind, label, value, key }: LedgerEntry): string {
  const name = label === '' ? key : label
  return value === '' || value === name || spoken.has(kind) ? name : `${name}: ${value}`
}

/** Their value is a code of how it was said. */
const spoken: ReadonlySet<string> = new Set([
  ...(['constraint', 'preference', 'correction', 'decision', 'task', 'question'] as const),
])
