/** A chat with the model of the server: its contexts are built, compacted and recorded like those of any program. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, call, pathOf, send as request } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { tokens } from '../data/format.ts'
import { stateOf } from '../data/message-state.ts'
import { linkTo } from '../data/route.ts'
import { serverEvents } from '../data/server-events.ts'
import type { Message, Page } from '../data/types.ts'
import { errorOf, useLoaded } from '../data/use-loaded.ts'
import { MayWrite } from '../parts/action.tsx'
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
  const [written, setWritten] = useState('')
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
  useEffect(
    () => end.current?.scrollIntoView({ block: 'end' }),
    [messages.value, isWaiting, written],
  )
  if (live === null) return null
  const send = async () => {
    const content = draft.trim()
    setWaiting(true)
    setProblem('')
    setDraft('')
    try {
      setReply(await readReply(id, content, setWritten))
    } catch (error) {
      const { code, message } = errorOf(error)
      const isKept = code === 'CHAT_FAILED'
      setProblem(`${message.replace(/\.$/, '')}.${isKept ? ' Your message is in the log.' : ''}`)
      if (!isKept) setDraft(content)
    } finally {
      setWaiting(false)
      setWritten('')
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
        <div class="message" aria-live="polite">
          <p class="soft" role="status">
            {`${model} writes`}
          </p>
          {written !== '' && <div class="text">{written}</div>}
        </div>
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

/** Calls back with the whole text so far, as it arrives. */
async function readReply(
  id: string,
  content: string,
  show: (text: string) => void,
): Promise<Reply> {
  let text = ''
  const path = pathOf(id, 'replies', 'stream')
  const answer = await request(path, { method: 'POST', body: { content } })
  for await (const arrived of serverEvents(answer)) {
    for (const { event, data } of arrived) {
      const value = JSON.parse(data) as Reply & Problem & { readonly text: string }
      if (event === 'reply') return value
      if (event === 'problem') throw new ApiError(value.status, value.code, value.detail, null)
      text += value.text
    }
    show(text)
  }
  throw new ApiError(0, 'UNREACHABLE', 'The connection broke off before the end.', null)
}

interface Problem {
  readonly status: number
  readonly code: string
  readonly detail: string
}
