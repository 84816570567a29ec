/** Messages for a log: talk, attacks, calls at once, and results that come late; each text has a word of its own. */
import type { MessageInput } from 'throughline'
import { hostileMessages } from '../history/hostile-message.ts'
import type { Chance } from '../kernel/chance.ts'
import { plainWords, randomText } from '../prop/random-text.ts'

export interface Drawing {
  readonly chance: Chance
  /** Names of messages, one after the other. */
  nextName(): string
  /** Marks of blocks that an attacker has seen. */
  readonly marks: readonly string[]
}

/** The words of a message: no other one holds them. */
export function wordsIn(value: unknown): readonly string[] {
  return [...new Set(JSON.stringify(value).match(/zeb\d+qu\.\d+/g))]
}

/** What stands behind a word is any text; what stands in front of it is nothing. */
export function drawnText({ chance, nextName }: Drawing, mark: string | null = null): string {
  const word = `«${mark ?? `${nextName()}.1`}»`
  return chance.pick([
    () => `${word} ${plainWords(chance, chance.between(20, 400))}`,
    () => `${word} ${plainWords(chance, chance.between(20, 400))}`,
    () => `${word} Please look at src/part-${chance.below(30)}.ts, line ${chance.below(400)}.`,
    () => `${word} ${randomText(chance, chance.between(1, 200))}`,
    () => `${word} ${plainWords(chance, chance.between(800, 3_000))}`,
  ])()
}

export function drawnBatch(drawing: Drawing, openCalls: string[]): readonly MessageInput[] {
  const { chance, nextName, marks } = drawing
  const late = openCalls.length > 0 && chance.once(2) ? openCalls.shift() : undefined
  if (late !== undefined) return [resultOf(drawing, late)]
  return chance.pick<() => readonly MessageInput[]>([
    () => [{ role: 'user', content: drawnText(drawing) }],
    () => exchange(drawing),
    () => exchange(drawing),
    () => [...exchange(drawing), ...exchange(drawing)],
    () => hostileMessages({ chance, name: nextName(), marks }),
    () => callsAtOnce(drawing, openCalls),
    () => [{ ...withRaw(drawing), role: 'user' }],
  ])()
}

function exchange(drawing: Drawing): readonly MessageInput[] {
  return [
    { role: 'user', content: drawnText(drawing) },
    { role: 'assistant', content: drawnText(drawing) },
  ]
}

/** Another message of the same role, of the same kind of parts. */
export function insteadOf({ role, content }: MessageInput, drawing: Drawing): MessageInput {
  if (typeof content === 'string') return { role, content: drawnText(drawing) }
  return {
    role,
    content: content.map((part) => {
      if (part.type === 'tool-call') return { ...part, input: { path: plainPath(drawing) } }
      if (part.type === 'tool-result') return { ...part, output: drawnText(drawing) }
      return { type: 'text' as const, text: drawnText(drawing) }
    }),
  }
}

function withRaw(drawing: Drawing): Pick<MessageInput, 'content' | 'raw'> {
  const content = drawnText(drawing)
  return { content, raw: ` {"said" : ${JSON.stringify(content.toWellFormed())}}\n` }
}

function plainPath({ nextName }: Drawing): string {
  return `src/${nextName()}.1/part.ts`
}

function callsAtOnce(drawing: Drawing, openCalls: string[]): readonly MessageInput[] {
  const { chance, nextName } = drawing
  const calls = chance.times(chance.between(1, 3), () => `call-${nextName()}`)
  const content = calls.map((callId) => ({
    type: 'tool-call' as const,
    ...{
      callId,
      name: chance.pick(['read_file', 'search', 'run']),
      input: { path: plainPath(drawing) },
    },
  }))
  const answered = calls.filter((callId) => {
    if (!chance.once(4)) return true
    openCalls.push(callId)
    return false
  })
  return [
    { role: 'assistant', content },
    ...answered.map((callId) => resultOf(drawing, callId)),
    ...(chance.once(2) ? [{ role: 'assistant' as const, content: drawnText(drawing) }] : []),
  ]
}

function resultOf(drawing: Drawing, callId: string): MessageInput {
  const { chance } = drawing
  const output = drawnText(drawing)
  return {
    role: 'tool',
    content: [{ type: 'tool-result', callId, output, isError: chance.once(6) }],
  }
}
