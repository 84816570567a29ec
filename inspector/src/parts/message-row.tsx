/** A message of the log: who says it, its parts, and what the model sees of it. */
import { useContext, useState } from 'preact/hooks'
import { call, pathOf, send } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { time } from '../data/format.ts'
import { type MessageState, stateTexts } from '../data/message-state.ts'
import { linkTo } from '../data/route.ts'
import type { Message } from '../data/types.ts'
import { originText } from '../data/words.ts'
import { Action, MayWrite } from './action.tsx'
import { CopyLink } from './copy-link.tsx'
import { Dialog } from './dialog.tsx'
import { MessageParts } from './message-parts.tsx'

interface MessageRowProps {
  readonly message: Message
  readonly state: MessageState
  readonly isPinned: boolean
  readonly isFocused: boolean
}

export function MessageRow({ message, state, isPinned, isFocused }: MessageRowProps) {
  const live = useContext(CurrentConversation)
  const mayWrite = useContext(MayWrite)
  const [isEditing, setEditing] = useState(false)
  const { seq, conversationId: id, role, origin, author, parts, createdAt, marks, status } = message
  const isRemoved = marks.some(({ kind }) => kind === 'removed')
  const isText = parts.length > 0 && parts.every(({ type }) => type === 'text')
  const pin = async () => {
    await call(pathOf(id, 'pins', seq), { method: isPinned ? 'DELETE' : 'PUT' })
    live?.refresh()
    return isPinned ? `#${seq} is no longer pinned.` : `#${seq} is pinned: every request shows it.`
  }
  const isDropped = state === 'rules' || state === 'summarized'
  const link = linkTo(id, 'messages', seq)
  const request = role === 'assistant' ? (live?.data.requestAt.get(seq) ?? null) : null
  return (
    <article
      class={`message role-${role} is-${isPinned && isDropped ? 'kept' : state}${isFocused ? ' is-focused' : ''}`}
      aria-label={`Message ${seq}`}
    >
      <header class="message-head">
        <a class="anchor" href={link}>{`#${seq}`}</a>
        <span class={`badge origin-${origin ?? 'unknown'}`}>{originText(origin)}</span>
        {author !== null && <span class="soft">{author}</span>}
        {isPinned && <span class="badge pin">pinned</span>}
        {state !== 'whole' && !(isDropped && isPinned) && (
          <span class={isDropped ? 'soft fate' : 'badge state'}>{stateTexts[state]}</span>
        )}
        {status === 'incomplete' && <span class="badge warn">cut off</span>}
        <span class="message-end">
          <span class="message-actions">
            {request !== null && (
              <a
                href={linkTo(id, 'requests', request)}
                aria-label={`Request that message ${seq} answers`}
              >
                Request
              </a>
            )}
            <Action kind="quiet" run={pin} label={`${isPinned ? 'Unpin' : 'Pin'} message ${seq}`}>
              {isPinned ? 'Unpin' : 'Pin'}
            </Action>
            {mayWrite && isText && !isRemoved && (
              <button
                type="button"
                class="quiet"
                aria-label={`Edit message ${seq}`}
                onClick={() => setEditing(true)}
              >
                Edit
              </button>
            )}
            <CopyLink link={link} what={`message ${seq}`} />
          </span>
          <time class="soft">{time(createdAt)}</time>
        </span>
      </header>
      {isRemoved ? (
        <p class="part-note">The content was removed.</p>
      ) : (
        <MessageParts parts={parts} />
      )}
      {isEditing && <EditDialog message={message} close={() => setEditing(false)} />}
    </article>
  )
}

interface EditProps {
  readonly message: Message
  readonly close: () => void
}

/** The log changes, so the dialog says what else does. */
function EditDialog({ message, close }: EditProps) {
  const live = useContext(CurrentConversation)
  const { seq, conversationId: id, role } = message
  const before = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const [text, setText] = useState(before)
  const path = pathOf(id, 'messages', seq)
  const save = async () => {
    const etag = (await send(path)).headers.get('etag') ?? '*'
    await call(path, {
      method: 'PUT',
      headers: { 'if-match': etag },
      body: { role, content: text, ...(message.origin !== null && { origin: message.origin }) },
    })
    live?.refresh()
    close()
    return `#${seq} was edited.`
  }
  return (
    <Dialog title={`Edit message #${seq}`} close={close}>
      <p class="soft">
        The log keeps only the new text. Views and facts that depend on the message are removed; the
        next request builds them again.
      </p>
      <textarea
        rows={10}
        value={text}
        aria-label="Text of the message"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <footer class="dialog-foot">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <Action kind="primary" run={save} disabled={text.trim() === '' || text === before}>
          Save
        </Action>
      </footer>
    </Dialog>
  )
}
