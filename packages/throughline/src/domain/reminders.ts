/** Reminders that clients append to texts of people and tools. */
import { contentOf, type Message } from './message.ts'

/**
 * A text without the reminders that clients append to it: the end of a file that was read is then the
 * end of the file.
 */
export function withoutReminders(text: string): string {
  let kept = ''
  let at = 0
  for (let from = text.indexOf(reminder); from >= 0; from = text.indexOf(reminder, at)) {
    const to = text.indexOf(reminderEnd, from)
    if (to < 0) break
    kept += text.slice(at, from)
    at = to + reminderEnd.length
  }
  const rest = kept + text.slice(at)
  return at === 0 || rest.trim() === '' ? text : rest.trimEnd()
}

const reminder = '<system-reminder>'
const reminderEnd = '</system-reminder>'

export function hasReminder({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some((part) => contentOf(part).some((text) => text.includes(reminder)))
}
