/** The events of the conversation: the newest at the top, new ones as they happen. */
import { useContext } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { anchor, short, time, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { EngineEvent, Page } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { eventText, reasonText } from '../data/words.ts'
import { Shown } from '../parts/states.tsx'

export function EventsView() {
  const live = useContext(CurrentConversation)
  const id = live?.data.id ?? ''
  const known = useLoaded(
    `events ${id}`,
    async (signal) =>
      (
        await call<Page<EngineEvent>>(pathOf(id, 'events'), {
          query: { newest: true, limit: 200 },
          signal,
        })
      ).items,
    `${live?.stamp} ${live?.live[0]?.number}`,
  )
  return (
    <div class="column">
      <p class="live">
        <span class="live-dot" aria-hidden="true" /> live: new events appear by themselves
      </p>
      <Shown of={known} rows={8}>
        {(events) => {
          const fresh = new Set(live?.live.map(({ number }) => number))
          return (
            <ol class="events" aria-live="polite">
              {events.toReversed().map((event) => (
                <li key={event.number} class={fresh.has(event.number) ? 'is-new' : ''}>
                  <span class="anchor">{event.number}</span>
                  <b>{eventText(event.kind)}</b>
                  <span class="event-detail">
                    <Detail id={id} event={event} />
                  </span>
                  <time class="soft">{time(event.at)}</time>
                </li>
              ))}
            </ol>
          )
        }}
      </Shown>
    </div>
  )
}

function Detail({ id, event }: { readonly id: string; readonly event: EngineEvent }) {
  if (event.kind === 'compaction-finished') {
    const { receipt, reason, tokensBefore, tokensAfter } = event
    return (
      <>
        <a href={linkTo(id, 'compactions', receipt)}>
          {tokensBefore === null
            ? `to ${tokens(tokensAfter)}`
            : `${short(tokensBefore)} → ${tokens(tokensAfter)}`}
        </a>
        {`: ${reasonText(reason)}`}
      </>
    )
  }
  return <>{detailOf(event)}</>
}

function detailOf(event: EngineEvent): string {
  if (event.kind === 'compaction-controlled') return controlText(event.control)
  if (event.kind === 'view-restored')
    return event.of === null ? 'every message is shown' : `the state of version ${event.of}`
  if (event.kind === 'pins-changed')
    return event.pins.length === 0 ? 'none' : event.pins.map((seq) => `#${seq}`).join(', ')
  if (event.kind === 'epoch-began') return reasonText(event.cause)
  if (event.kind === 'facts-extracted') return `from the messages before #${event.to}`
  const { kind: _, number: __, at: ___, ...rest } = event
  return Object.entries(rest)
    .map(([name, value]) => (name === 'span' ? valueText(value) : `${name} ${valueText(value)}`))
    .join(' · ')
    .slice(0, 240)
}

function controlText({ mode, asked, suspended }: Controlled): string {
  const texts = [
    ...(mode === null ? [] : [`mode ${mode}`]),
    ...(asked === null ? [] : ['the next request is compacted']),
    ...(suspended.length === 0 ? [] : ['auto-compaction is off since an undo']),
  ]
  return texts.length === 0 ? 'auto-compaction follows the policy' : texts.join(' · ')
}

type Controlled = Extract<EngineEvent, { readonly kind: 'compaction-controlled' }>['control']

function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none')
  const { from, to } = value as { readonly from?: unknown; readonly to?: unknown }
  if (typeof from === 'number' && typeof to === 'number') return anchor({ from, to })
  return JSON.stringify(value)
}
