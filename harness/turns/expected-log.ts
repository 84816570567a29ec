/** Where a turn stands in the log, and which turns before it nobody has handed over. */
import type { MessageInput } from 'throughline'

export interface PlaceInLog {
  readonly missed: readonly Unhanded[]
  /** Where the turn itself ends. */
  readonly to: number
}

interface Unhanded {
  readonly user: string
  readonly assistant: string
  readonly to: number
}

export interface Sought {
  /** What was remembered before ends here. */
  readonly from: number
  readonly userMessage: string
  /** As the caller says it; null where it is left out. */
  readonly head: number | null
}

/** From what its user said to the last that is not the user's; its own words are its own. */
export function placeInLog(log: readonly MessageInput[], sought: Sought): PlaceInLog {
  const { from, head } = sought
  const words = sought.userMessage.toWellFormed().trim()
  const open = log.slice(from, head ?? log.length)
  const isOwn = (message: MessageInput) => isUsers(message) && textOf(message).trim() === words
  const answered = open.findLastIndex((message) => !isUsers(message))
  // The same may be said again meanwhile: what was answered is meant.
  const before = open.slice(0, Math.max(0, answered)).findLastIndex(isOwn)
  const own = before >= 0 ? before : open.findLastIndex(isOwn)
  const length = head === null ? Math.max(own, answered) + 1 : open.length
  const turn = open.slice(0, length)
  let start = Math.max(0, own >= 0 && own < length ? own : turn.findLastIndex(isUsers))
  while (start > 0 && isUsers(turn[start - 1])) start -= 1
  return { missed: unhanded(turn.slice(0, start), from), to: from + turn.length }
}

/** Each begins with the first thing that a user says behind something else. */
function unhanded(messages: readonly MessageInput[], from: number): readonly Unhanded[] {
  if (!messages.some(isUsers)) return []
  const begins = messages.flatMap((message, at) =>
    isUsers(message) && !isUsers(messages[at - 1]) ? [at] : [],
  )
  return begins.map((_, index) => {
    const end = begins[index + 1] ?? messages.length
    const group = messages.slice(index === 0 ? 0 : begins[index], end)
    const answers = group.filter(({ role }) => role === 'assistant').map(textOf)
    return {
      user: group
        .filter(isUsers)
        .map((message) => textOf(message).trim())
        .join('\n'),
      assistant: answers.findLast((text) => text.trim() !== '')?.trim() ?? '',
      to: from + end,
    }
  })
}

function isUsers(message: MessageInput | undefined): boolean {
  return message?.role === 'user'
}

function textOf({ content }: MessageInput): string {
  return typeof content === 'string' ? content : ''
}
