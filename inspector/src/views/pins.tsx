/** The pinned messages: every request shows them verbatim. */
import { useContext } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import type { Message, Page } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { stateOf } from '../parts/band.tsx'
import { MessageRow } from '../parts/message-row.tsx'
import { Empty, Shown } from '../parts/states.tsx'

export function PinsView() {
  const live = useContext(CurrentConversation)
  const { id = '', conversation } = live?.data ?? {}
  const pins = conversation?.pins ?? []
  const pinned = useLoaded(`pins ${id} ${pins.join()}`, async (signal) => {
    const pages = await Promise.all(
      pins.map((seq) =>
        call<Page<Message>>(pathOf(id, 'messages'), {
          query: { from: seq, to: seq + 1, origins: true },
          signal,
        }),
      ),
    )
    return pages.flatMap(({ items }) => items)
  })
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
