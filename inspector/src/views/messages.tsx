/** The log: a band of all of it, the use of the window, and its messages, loaded as they come into sight. */
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation, type LiveConversation } from '../data/conversation.ts'
import { stateOf } from '../data/message-state.ts'
import { receiptsOf } from '../data/receipts.ts'
import { go, linkTo } from '../data/route.ts'
import type { Message, Page } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Band } from '../parts/band.tsx'
import { MessageRow } from '../parts/message-row.tsx'
import { Empty } from '../parts/states.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { WindowChart } from '../parts/window-chart.tsx'

const pageMessages = 50
/** Pages that stay in memory; more are loaded again when they come back into sight. */
const keptPages = 40

export function MessagesView({ item }: { readonly item: string }) {
  const live = useContext(CurrentConversation)
  const [peopleOnly, setPeopleOnly] = useState(false)
  const sight = useRef<((from: number, to: number) => void) | null>(null)
  const receipts = useLoaded(
    `receipts ${live?.data.id}`,
    (signal) => receiptsOf(live?.data.id ?? '', signal),
    live?.stamp,
  )
  if (live === null) return null
  const { id, conversation, status, view, model } = live.data
  const before = new Map(
    (receipts.value ?? []).flatMap(({ epoch, tokensBefore, model: of }) =>
      of === model && tokensBefore !== null ? [[epoch, tokensBefore]] : [],
    ),
  )
  const { head, pins } = conversation
  const place = /^\d{1,15}$/.test(item) ? Number(item) : null
  if (head === 0)
    return <Empty title="No message yet">Append one, and it appears here at once.</Empty>
  return (
    <div class="log">
      <div class="log-top">
        <Band {...{ view, head, pins, sight }} go={(seq) => go(linkTo(id, 'messages', seq))} />
        <WindowChart
          requests={requestsOf(live)}
          before={before}
          open={(fingerprint) => go(linkTo(id, 'requests', fingerprint))}
        />
        <div class="log-bar">
          <label class="switch">
            <input
              type="checkbox"
              checked={peopleOnly}
              onChange={(event) => setPeopleOnly(event.currentTarget.checked)}
            />
            people only
          </label>
          <span class="soft">
            {status.requests.length === 0
              ? 'No request to a model so far: everything would be shown.'
              : `The colors of the band show what the model “${live.data.model}” sees.`}
          </span>
        </div>
      </div>
      {peopleOnly ? (
        <PeopleList live={live} />
      ) : (
        <WholeList live={live} place={place} seen={(from, to) => sight.current?.(from, to)} />
      )}
    </div>
  )
}

export function requestsOf({ data: { status, model } }: LiveConversation) {
  return status.requests.filter((each) => each.model === model)
}

interface WholeProps {
  readonly live: LiveConversation
  readonly place: number | null
  readonly seen: (from: number, to: number) => void
}

function WholeList({ live, place, seen }: WholeProps) {
  const { id, conversation, view } = live.data
  const { head, pins, rewrites } = conversation
  const pages = useRef(new Map<number, readonly Message[]>())
  const asked = useRef(new Set<number>())
  const [, redraw] = useState(0)
  const firstFocus = useMemo(
    () => (place === null ? head - 1 : Math.min(place, head - 1)),
    [id, place],
  )
  const loadPage = async (page: number) => {
    const from = page * pageMessages
    const isWhole = (pages.current.get(page)?.length ?? 0) >= Math.min(pageMessages, head - from)
    if (isWhole || asked.current.has(page)) return
    asked.current.add(page)
    try {
      const items: Message[] = []
      const to = Math.min(from + pageMessages, head)
      for (let next = from; next < to; ) {
        const found = await call<Page<Message>>(pathOf(id, 'messages'), {
          query: { from: next, to, limit: pageMessages, origins: true },
        })
        items.push(...found.items)
        if (found.next === null) break
        next = Number(found.next)
      }
      pages.current.delete(page)
      pages.current.set(page, items)
      for (const old of [...pages.current.keys()].slice(0, -keptPages)) pages.current.delete(old)
      redraw((before) => before + 1)
    } catch {
      // The row says that it loads; the next range that comes into sight asks again.
    } finally {
      asked.current.delete(page)
    }
  }
  useEffect(() => {
    pages.current.clear()
    redraw((before) => before + 1)
  }, [id, rewrites])
  const range = useRef<readonly [number, number]>([0, 0])
  const inSight = (from: number, to: number) => {
    range.current = [from, to]
    seen(from, to)
    for (let page = Math.floor(from / pageMessages); page * pageMessages <= to; page += 1)
      void loadPage(page)
  }
  // New messages may be on the page in sight.
  useEffect(() => inSight(...range.current), [head, rewrites])
  const pinned = useMemo(() => new Set(pins), [pins])
  const messageAt = (seq: number) =>
    pages.current.get(Math.floor(seq / pageMessages))?.[seq % pageMessages]
  return (
    <VirtualList
      count={head}
      label="Messages"
      estimate={() => 84}
      keyOf={(seq) => seq}
      focus={firstFocus}
      onRange={inSight}
      row={(seq) => {
        const message = messageAt(seq)
        if (message === undefined) return <div class="message is-loading">{`#${seq}`}</div>
        return (
          <MessageRow
            message={message}
            state={stateOf(view, seq)}
            isPinned={pinned.has(seq)}
            isFocused={place === seq}
          />
        )
      }}
    />
  )
}

/** Read on as far as the reader scrolls. */
function PeopleList({ live }: { readonly live: LiveConversation }) {
  const { id, conversation, view } = live.data
  const { rewrites, head, pins } = conversation
  const [found, setFound] = useState<readonly Message[]>([])
  const [next, setNext] = useState<string | null>('0')
  const isLoading = useRef(false)
  useEffect(() => {
    setFound([])
    setNext('0')
  }, [id, rewrites, head])
  const more = async (wanted: number) => {
    if (isLoading.current || next === null) return
    isLoading.current = true
    let [cursor, count]: [string | null, number] = [next, found.length]
    try {
      while (cursor !== null && count <= wanted) {
        const page: Page<Message> = await call(pathOf(id, 'messages'), {
          query: { cursor, origin: 'person', limit: pageMessages },
        })
        count += page.items.length
        cursor = page.next
        setFound((before) => [...before, ...page.items])
        setNext(cursor)
      }
    } finally {
      isLoading.current = false
    }
  }
  useEffect(() => void more(0), [next === '0'])
  const pinned = new Set(pins)
  if (found.length === 0)
    return next === null ? (
      <Empty title="No person wrote here">Switch off “people only” to see all messages.</Empty>
    ) : null
  return (
    <VirtualList
      count={found.length}
      label="Messages of people"
      estimate={() => 84}
      keyOf={(at) => found[at]?.seq ?? at}
      focus={null}
      onRange={(_, to) => {
        if (to >= found.length - 10) void more(found.length + pageMessages)
      }}
      row={(at) => {
        const message = found[at]
        return (
          message && (
            <MessageRow
              message={message}
              state={stateOf(view, message.seq)}
              isPinned={pinned.has(message.seq)}
              isFocused={false}
            />
          )
        )
      }}
    />
  )
}
