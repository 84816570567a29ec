/** Rules about the text of a request: valid characters, correct roles, and exact pins. */
import {
  type Context,
  type JsonObject,
  type MessageInput,
  type PartInput,
  policies,
} from 'throughline'
import type { Asked } from './random-case.ts'
import { toolMark } from './random-parts.ts'
import { type Violation, violation } from './tally.ts'

/** No unpaired surrogate, not even escaped in the arguments of a call. */
export function checkUnicode(request: object): readonly Violation[] {
  const found: Violation[] = []
  for (const { value, path } of walk(request)) {
    const at = path.join('.')
    const keys = isObject(value) ? Object.keys(value) : []
    if (keys.some((key) => !key.isWellFormed())) found.push(violation('unicode', `a key in ${at}`))
    if (typeof value !== 'string') continue
    if (!value.isWellFormed()) found.push(violation('unicode', `an unpaired surrogate in ${at}`))
    if (path.at(-1) === 'arguments' && hidesHalf(value))
      found.push(violation('unicode', `an escaped unpaired surrogate in ${at}`))
  }
  return found
}

/** The same for a context: adapters repair it, but should not have to. */
export function checkContextUnicode({ messages }: Pick<Context, 'messages'>): readonly Violation[] {
  return messages.flatMap(({ seq, parts }) => {
    // Metadata of applications and providers stays as it is.
    const shown = parts.map(({ metadata: _, ...part }) => part)
    const halves = [...textsIn(shown)].filter((text) => !text.isWellFormed())
    return halves.map(() => violation('unicode', `context: an unpaired surrogate in #${seq}`))
  })
}

function hidesHalf(json: string): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return false
  try {
    for (const text of textsIn(JSON.parse(json))) if (!text.isWellFormed()) return true
    return false
  } catch {
    return false
  }
}

/** Derived text has the system role only if the policy says so; tool output never has. */
export function checkSystem(
  context: Pick<Context, 'messages' | 'system'>,
  request: object,
  { policy, system }: Asked,
): readonly Violation[] {
  const found: Violation[] = []
  const { advanced } = typeof policy === 'string' ? policies[policy] : (policy ?? policies.balanced)
  const role = advanced?.derivedRole ?? 'user-message'
  if (role === 'user-message') {
    const given = typeof system === 'string' ? (system === '' ? 0 : 1) : (system?.length ?? 0)
    if (context.system.length !== given)
      found.push(violation('system-role', 'derived text was merged into the system prompt'))
    if (context.messages.some((message) => message.role === 'system' && message.seq === null))
      found.push(violation('system-role', 'derived text has the system role'))
  }
  for (const text of systemTexts(request))
    if (text.includes(toolMark))
      found.push(violation('system-role', `tool output: ${text.slice(0, 80)}`))
  return found
}

const systemRoles: readonly unknown[] = ['system', 'developer']

function systemTexts(request: object): readonly string[] {
  const fields = request as Fields
  const own = ['system', 'instructions', 'systemInstruction'].map((key) => fields[key])
  const spoken = ['messages', 'input'].flatMap((key) =>
    fieldsIn(fields[key]).filter(({ role }) => systemRoles.includes(role)),
  )
  return [...own, ...spoken].flatMap((value) => [...textsIn(value)])
}

/** The text of pinned messages is in the request character for character. */
export function checkPins(
  request: object,
  history: readonly MessageInput[],
  pins: readonly number[],
): readonly Violation[] {
  if (pins.length === 0) return []
  const texts = [...textsIn(request), ...wordsOfDenials(request)]
  return pins.flatMap((seq) => {
    const pinned = history[seq] === undefined ? [] : wordsOf(history[seq])
    return (
      pinned
        .map((text) => text.toWellFormed())
        // Several providers refuse text that is only white space.
        .filter((text) => text.trim() !== '')
        .filter((text) => !texts.some((sent) => sent.includes(text)))
        .map((text) =>
          violation('pins', `#${seq} is missing: ${JSON.stringify(text.slice(0, 60))}`),
        )
    )
  })
}

/** AI SDK providers write this text for a denial without a reason. */
const denialWords = 'Tool call execution denied.'

function wordsOfDenials(request: object): readonly string[] {
  for (const { value } of walk(request))
    if (isObject(value) && value['type'] === 'execution-denied' && value['reason'] === undefined)
      return [denialWords]
  return []
}

/** Google's own responses are objects, and are written as such. */
function isJsonOfGoogle(metadata: JsonObject | undefined): boolean {
  const notes = metadata?.['google']
  return isObject(notes) && notes['response'] === 'json'
}

function wordsOf({ content }: MessageInput): readonly string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((part: PartInput): readonly string[] => {
    if (part.type === 'text' || part.type === 'resource-excerpt') return [part.text]
    if (part.type !== 'tool-result') return []
    const { output } = part
    if (typeof output === 'string') return [output]
    if (output.kind === 'text') return [output.text]
    return output.kind === 'json'
      ? []
      : output.parts.flatMap((inner) =>
          inner.type === 'text' && !isJsonOfGoogle(inner.metadata) ? [inner.text] : [],
        )
  })
}

/** Helpers that visit everything in a request. */
export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  )
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function fieldsIn(value: unknown): readonly Fields[] {
  return listOf(value).filter(isObject)
}

/** Every value, with the field names that lead to it; keys are not values. */
export function* walk(value: unknown, path: readonly string[] = []): Generator<Visited> {
  yield { value, path }
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* walk(inner, [...path, String(index)])
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key])
}

interface Visited {
  readonly value: unknown
  readonly path: readonly string[]
}

export function* textsIn(value: unknown): Generator<string> {
  for (const { value: inner } of walk(value)) if (typeof inner === 'string') yield inner
}
