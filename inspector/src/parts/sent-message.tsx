/** What was sent: messages by slot, the system prompt, and the tools. */
import { useState } from 'preact/hooks'
import { count, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { RebuiltRequest } from '../data/types.ts'
import { Folded, LongText, MessageParts, oneLine } from './message-parts.tsx'

type Sent = RebuiltRequest['messages'][number]

interface SlotProps {
  readonly id: string
  readonly slot: string
  readonly sent: readonly Sent[]
  readonly markOf: (sent: Sent) => 'new' | 'gone' | null
}

const shownAtFirst = 30

export function SentSlot({ id, slot, sent, markOf }: SlotProps) {
  const [shown, setShown] = useState(shownAtFirst)
  if (sent.length === 0) return null
  const used = sent.reduce((sum, each) => sum + each.tokens, 0)
  return (
    <section class="slot">
      <h3>
        {slot} <span class="soft">{`${count(sent.length, 'message')}, ${tokens(used)}`}</span>
      </h3>
      {sent.slice(-shown).map((each, at) => (
        <SentMessage key={at} id={id} sent={each} mark={markOf(each)} />
      ))}
      {sent.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + 100)}>
          {`Show ${count(Math.min(100, sent.length - shown), 'earlier message')}`}
        </button>
      )}
    </section>
  )
}

interface SentProps {
  readonly id: string
  readonly sent: Sent
  readonly mark: 'new' | 'gone' | null
}

export function SentMessage({ id, sent, mark }: SentProps) {
  const { seq, role, parts, tokens: used } = sent
  return (
    <article class={`message sent role-${role}${mark === null ? '' : ` mark-${mark}`}`}>
      <header class="message-head">
        {seq === null ? (
          <span class="anchor">added by Throughline</span>
        ) : (
          <a class="anchor" href={linkTo(id, 'messages', seq)}>{`#${seq}`}</a>
        )}
        <span class="badge">{role}</span>
        {mark !== null && <span class={`badge diff-${mark}`}>{mark}</span>}
        <span class="message-end soft">{tokens(used)}</span>
      </header>
      <MessageParts parts={parts} />
    </article>
  )
}

/** System prompt and tools, which providers put before all messages. */
export function PromptSections({ request }: { readonly request: RebuiltRequest }) {
  const { system, tools, sections } = request
  const tokensOf = (kind: string) => sections.find((each) => each.kind === kind)?.tokens ?? 0
  return (
    <>
      {system !== null && system.length > 0 && (
        <section class="slot">
          <h3>
            system prompt <span class="soft">{tokens(tokensOf('system'))}</span>
          </h3>
          <article class="message sent role-system">
            <MessageParts parts={system} />
          </article>
        </section>
      )}
      {tools !== null && tools.length > 0 && (
        <section class="slot">
          <h3>
            tools{' '}
            <span class="soft">{`${count(tools.length, 'tool')}, ${tokens(tokensOf('tools'))}`}</span>
          </h3>
          <article class="message sent">
            {tools.map((tool) => {
              const schema = JSON.stringify(tool.parameters ?? {}, null, 2)
              return (
                <Folded
                  key={tool.name}
                  title={tool.name}
                  hint={oneLine(tool.description ?? '')}
                  text={`${tool.description ?? ''}${schema}`}
                >
                  {tool.description !== undefined && <LongText text={tool.description} />}
                  <LongText text={schema} isCode />
                </Folded>
              )
            })}
          </article>
        </section>
      )}
    </>
  )
}
