/** The dropped messages of a compaction, in one line each. */
import { useMemo, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import type { Dropped } from '../data/dropped.ts'
import { count } from '../data/format.ts'
import { messagesAt } from '../data/messages.ts'
import { linkTo } from '../data/route.ts'
import type { Message, Page, Receipt } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { originText } from '../data/words.ts'
import { oneLine, outputText } from '../parts/message-parts.tsx'
import { Shown } from '../parts/states.tsx'

const dropPage = 50

interface DropListProps {
  readonly id: string
  readonly receipt: Receipt
  readonly dropped: Dropped
}

/** Those of its span, after older ones that were kept until then. */
export function DropList({ id, receipt, dropped }: DropListProps) {
  const { covered, keeps } = receipt
  const [to, setTo] = useState(Math.min(covered.to, covered.from + dropPage))
  const messages = useLoaded(`dropped ${id} ${covered.from} ${to}`, async (signal) => {
    const items = [...(await messagesAt(id, dropped.noLongerKept, signal))]
    for (let from = covered.from; from < to; ) {
      const query = { from, to, limit: 200, origins: true }
      const page = await call<Page<Message>>(pathOf(id, 'messages'), { query, signal })
      items.push(...page.items)
      if (page.next === null) break
      from = Number(page.next)
    }
    return items
  })
  const kept = useMemo(() => new Set(keeps), [keeps])
  if (dropped.count === 0) return null
  return (
    <section>
      <h3>
        Dropped messages <span class="soft">{count(dropped.count, 'message')}</span>
      </h3>
      <Shown of={messages} rows={8}>
        {(items) => (
          <ol class="drop-list">
            {items
              .filter(({ seq }) => !kept.has(seq))
              .map((message) => (
                <li key={message.seq}>
                  <a href={linkTo(id, 'messages', message.seq)}>
                    <span class="anchor">{`#${message.seq}`}</span>
                    <span class={`badge origin-${message.origin}`}>
                      {originText(message.origin)}
                    </span>
                    <span class="drop-text">{lineOf(message)}</span>
                  </a>
                </li>
              ))}
          </ol>
        )}
      </Shown>
      {to < covered.to && (
        <button type="button" class="quiet" onClick={() => setTo(Math.min(covered.to, to + 200))}>
          {`Show more of ${count(covered.to - to, 'message')}`}
        </button>
      )}
    </section>
  )
}

function lineOf({ parts }: Message): string {
  const texts = parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    if (part.type === 'tool-call') return `${part.name} ${part.input}`
    if (part.type === 'tool-result') return outputText(part.output)
    return part.type
  })
  return oneLine(texts.join('  '))
}
