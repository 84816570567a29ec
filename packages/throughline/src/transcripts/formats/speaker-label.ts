/**
 * A line that says who speaks next: `User: …`, `**Assistant:** …`, `## You`, `ChatGPT said:`.
 *
 * Talk is full of lines that look so and are none: settings, logs, a talk that is quoted. The
 * first label of a text shows how it writes them (its form), and no other form counts there.
 */
import type { Role } from '../../index.ts'

export interface SpeakerLabel {
  readonly role: Extract<Role, 'user' | 'assistant' | 'system'>
  readonly form: 'heading' | 'bold' | 'said' | 'capital' | 'small'
  /** As it stands behind the name, in brackets. */
  readonly time: string | null
  /** Characters of the line that belong to the label. */
  readonly length: number
}

/** A label is short; lines may be of any length. */
const longest = 120

const names: Readonly<Record<SpeakerLabel['role'], readonly string[]>> = {
  user: ['user', 'human', 'you', 'me'],
  assistant: [
    ...['assistant', 'ai', 'ai assistant', 'bot', 'model', 'llm'],
    ...['chatgpt', 'gpt', 'claude', 'gemini', 'copilot'],
  ],
  system: ['system'],
}

const roleOfName = new Map(
  Object.entries(names).flatMap(([role, known]) =>
    known.map((name) => [name, role as SpeakerLabel['role']] as const),
  ),
)

const name = '(?<name>[A-Za-z]+(?: assistant)?)(?<said> said| wrote| responded)?'
const time = '(?: ?[([](?<time>[^)\\]\\n]{1,40})[)\\]])?'
const forms = [
  new RegExp(`^#{1,6} +[^\\w\\n]{0,8}${name}${time}:?[*_]{0,2} *$`, 'iu'),
  new RegExp(`^(?<mark>\\*\\*|__)[^\\w\\n]{0,8}${name}${time}(?:\\k<mark>:|:\\k<mark>) ?`, 'iu'),
  new RegExp(`^${name}${time}: ?`, 'iu'),
]

export function speakerLabel(line: string): SpeakerLabel | null {
  const beginning = line.slice(0, longest)
  for (const [index, form] of forms.entries()) {
    const found = form.exec(beginning)
    const { name: called = '', said, time: at } = found?.groups ?? {}
    const role = roleOfName.get(called.toLowerCase())
    if (found === null || role === undefined) continue
    return { role, form: formOf(index, called, said), time: at ?? null, length: found[0].length }
  }
  return null
}

function formOf(index: number, called: string, said: string | undefined): SpeakerLabel['form'] {
  if (index === 0) return 'heading'
  if (index === 1) return 'bold'
  if (said !== undefined) return 'said'
  // `user:` is a key of many a file, `User:` of few.
  return /^[a-z]/.test(called) ? 'small' : 'capital'
}
