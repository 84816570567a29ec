/** The pinned messages: every request shows them verbatim. */
import { useContext } from 'preact/hooks'
import { CurrentConversation } from '../data/conversation.ts'
import { stateOf } from '../data/message-state.ts'
import { messagesAt } from '../data/messages.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { MessageRow } from '../parts/message-row.tsx'
import { Empty, Shown } from '../parts/states.tsx'

export function PinsView() {
  const live = useContext(CurrentConversation)
  const { id = '', conversation } = live?.data ?? {}
  const pins = conversation?.pins ?? []
  const pinned = useLoaded(`pins ${id} ${pins.join()}`, (signal) => messagesAt(id, pins, signal))
  if (live === null) return null
  return (
    <div class="column">
      <Shown of={pinned}>
        {(messages) =>
          messages.length === 0 ? (
            <Empty title="No pins">
              Pin a message in the log, and every request shows it verbatim, whatever is compacted.
            </Empty>
          ) : (
            <div class="stack">
              {messages.map((message) => (
                <MessageRow
                  key={message.seq}
                  message={message}
                  state={stateOf(live.data.view, message.seq)}
                  isPinned
                  isFocused={false}
                />
              ))}
            </div>
          )
        }
      </Shown>
    </div>
  )
}
