/** A chat with the model of the server: its contexts are built, compacted and recorded like those of any program. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { Message, Page } from '../data/types.ts'
import { errorOf, useLoaded } from '../data/use-loaded.ts'
import { MayWrite } from '../parts/action.tsx'
import { stateOf } from '../parts/band.tsx'
import { MessageRow } from '../parts/message-row.tsx'
import { Empty, Shown } from '../parts/states.tsx'

interface Reply {
  readonly fingerprint: string
  readonly tokens: number
}

const shownMessages = 40

export function ChatView({ model }: { readonly model: string }) {
  const live = useContext(CurrentConversation)
  const mayWrite = useContext(MayWrite)
  const [draft, setDraft] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  const [problem, setProblem] = useState('')
  const [reply, setReply] = useState<Reply | null>(null)
  const end = useRef<HTMLDivElement>(null)
  const { id = '', conversation } = live?.data ?? {}
  const head = conversation?.head ?? 0
  const messages = useLoaded(
    `chat ${id}`,
    async (signal) => {
      const query = { from: Math.max(0, head - shownMessages), limit: shownMessages, origins: true }
      return (await call<Page<Message>>(pathOf(id, 'messages'), { query, signal })).items
    },
    head,
  )
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [messages.value, isWaiting])
  if (live === null) return null
  const send = async () => {
    const content = draft.trim()
    setWaiting(true)
    setProblem('')
    setDraft('')
    try {
      setReply(await call<Reply>(pathOf(id, 'replies'), { method: 'POST', body: { content } }))
    } catch (error) {
      setProblem(`${errorOf(error).message} Your message is in the log.`)
    } finally {
      setWaiting(false)
      live.refresh()
    }
  }
  return (
    <div class="column chat">
      <Shown of={messages}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="Begin">{`${model} answers here.`}</Empty>
          ) : (
            <div class="stack">
              {items.map((message) => (
                <MessageRow
                  key={message.seq}
                  message={message}
                  state={stateOf(live.data.view, message.seq)}
                  isPinned={live.data.conversation.pins.includes(message.seq)}
                  isFocused={false}
                />
              ))}
            </div>
          )
        }
      </Shown>
      {isWaiting && (
        <p class="soft" role="status">
          {`${model} writes`}
        </p>
      )}
      {problem !== '' && (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
      {reply !== null && !isWaiting && (
        <p class="soft">
          The last request had{' '}
          <a href={linkTo(id, 'requests', reply.fingerprint)}>{tokens(reply.tokens)}</a>.
        </p>
      )}
      {mayWrite ? (
        <form
          class="search composer"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <textarea
            rows={2}
            aria-label="Message"
            placeholder={`Message to ${model}`}
            value={draft}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
              event.preventDefault()
              if (draft.trim() !== '' && !isWaiting) void send()
            }}
          />
          <button type="submit" class="primary" disabled={isWaiting || draft.trim() === ''}>
            Send
          </button>
        </form>
      ) : (
        <p class="soft">This session reads only.</p>
      )}
      <div ref={end} />
    </div>
  )
}
