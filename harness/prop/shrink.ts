/**
 * Finds a smaller case that breaks the same rule: removes messages, parts, fields and halves of texts
 * while the finding remains.
 */
import type { MessageInput, PartInput } from 'throughline'
import type { Asked, Case } from './random-case.ts'
import { type Fit, runMade } from './run-seeds.ts'
import type { Rule } from './tally.ts'

export async function shrink(made: Case, rule: Rule, fit: Fit): Promise<Case> {
  let least = made
  for (let again = true; again; ) {
    again = false
    for (const smaller of candidates(least)) {
      if (!(await breaks(smaller, rule, fit))) continue
      least = smaller
      again = true
      break
    }
  }
  return least
}

async function breaks(made: Case, rule: Rule, fit: Fit): Promise<boolean> {
  try {
    return (await runMade(made, fit)).findings.some((finding) => finding.rule === rule)
  } catch {
    // Too much was removed for a valid case.
    return false
  }
}

function* candidates(made: Case): Generator<Case> {
  const { messages, asked, windows } = made
  if (windows.length > 1) for (const window of windows) yield { ...made, windows: [window] }
  for (let size = Math.ceil(messages.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < messages.length; from += size)
      yield* without(made, from, Math.min(size, messages.length - from))
  for (const field of Object.keys(asked) as (keyof Asked)[]) {
    const { [field]: _, ...rest } = asked
    yield { ...made, asked: rest }
  }
  for (const [at, message] of messages.entries())
    for (const smaller of smallerMessages(message))
      yield { ...made, messages: messages.with(at, smaller) }
}

/** Pins move with their messages. */
function* without(made: Case, from: number, count: number): Generator<Case> {
  const pins = made.asked.pins ?? []
  if (pins.some((seq) => seq >= from && seq < from + count)) return
  const moved = pins.map((seq) => (seq < from ? seq : seq - count))
  const asked = pins.length === 0 ? made.asked : { ...made.asked, pins: moved }
  yield { ...made, messages: made.messages.toSpliced(from, count), asked }
}

function* smallerMessages(message: MessageInput): Generator<MessageInput> {
  const { role, content, ...more } = message
  if (Object.keys(more).length > 0) yield { role, content }
  if (typeof content === 'string') {
    for (const text of smallerTexts(content)) yield { ...message, content: text }
    return
  }
  for (const [at, part] of content.entries()) {
    yield { ...message, content: content.toSpliced(at, 1) }
    for (const smaller of smallerParts(part))
      yield { ...message, content: content.with(at, smaller) }
  }
}

function* smallerParts(part: PartInput): Generator<PartInput> {
  if (part.metadata !== undefined) {
    const { metadata: _, ...rest } = part
    yield rest
  }
  if ('text' in part) for (const text of smallerTexts(part.text)) yield { ...part, text }
  if (part.type === 'tool-call' && JSON.stringify(part.input) !== '{}') yield { ...part, input: {} }
  if (part.type === 'tool-result' && typeof part.output === 'string')
    for (const output of smallerTexts(part.output)) yield { ...part, output }
}

function* smallerTexts(text: string): Generator<string> {
  if (text.length < 2) return
  yield text.slice(0, Math.floor(text.length / 2))
  yield text.slice(Math.floor(text.length / 2))
}
