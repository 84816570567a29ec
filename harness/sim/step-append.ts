/** Appends: with or without a key, sent again, in conflict, several at once, and remembered turns. */
import type { AppendResult, MessageInput } from 'throughline'
import { hostileMessages } from '../history/lying-writer.ts'
import type { Chance } from '../kernel/chance.ts'
import { plainWords, randomText } from '../prop/random-parts.ts'
import { newMessage } from './expected.ts'
import { type Scene, type Step, unexpected } from './step.ts'

const triesMax = 12

/** The positions of the messages; null if the outcome stays unknown. */
export async function appendTo(
  scene: Scene,
  batch: readonly MessageInput[],
  key: string | null,
): Promise<AppendResult | null> {
  const { world, log, slot } = scene
  for (let tries = 0; tries < triesMax; tries += 1) {
    const options = key === null ? {} : { key }
    const answer = await world.ask(slot, (tl) => tl.conversation(log.id).append(batch, options))
    if (answer.kind === 'refused') {
      unexpected(scene, 'append', answer)
      return null
    }
    if (answer.kind === 'done') {
      place(scene, batch, answer.value)
      return answer.value
    }
    if (key === null) {
      log.doubtful.push(batch)
      return null
    }
  }
  unexpected(scene, 'append', `never acknowledged: ${key}`)
  return null
}

/** Each message has a unique position, in order. */
function place(
  { world, log }: Scene,
  batch: readonly MessageInput[],
  appended: AppendResult,
): void {
  const first = appended.entries[0]?.seq ?? 0
  for (const [index, { seq, repeated }] of appended.entries.entries()) {
    const input = batch[index]
    if (input === undefined) continue
    if (seq !== first + index)
      world.findings.push({ rule: 'places', detail: `"${log.id}": #${seq} after #${first}` })
    const there = log.messages[seq]
    if (there === undefined) log.messages[seq] = newMessage(input)
    else if (!repeated || there.input !== input)
      world.findings.push({ rule: 'places', detail: `"${log.id}": #${seq} was taken` })
  }
}

export const append: Step = {
  name: 'append',
  weight: 22,
  together: true,
  run: async (scene) => {
    const { world, log } = scene
    const { chance } = world.stage
    const batch = drawnBatch(world.drawing, log.openCalls)
    const key = chance.once(3) ? null : `key ${world.drawing.nextName()}`
    const appended = await appendTo(scene, batch, key)
    if (key === null || appended === null || !chance.once(3)) return
    await (chance.once(2) ? again(scene, batch, key) : conflict(scene, key))
  },
}

/** Sends it again by the other engine: nothing is added. */
async function again(scene: Scene, batch: readonly MessageInput[], key: string): Promise<void> {
  const { world, log, slot } = scene
  const other = slot === 0 ? 1 : 0
  const head = log.messages.length
  const answer = await world.ask(other, (tl) => tl.conversation(log.id).append(batch, { key }))
  if (answer.kind === 'refused') unexpected(scene, 'append again', answer)
  if (answer.kind === 'done' && !answer.value.entries.every(({ repeated }) => repeated))
    world.findings.push({ rule: 'doubled', detail: `"${log.id}": added again after ${head}` })
}

async function conflict(scene: Scene, key: string): Promise<void> {
  const { world, log, slot } = scene
  const other = { role: 'user', content: `Something else under ${key}.` } as const
  const answer = await world.ask(slot, (tl) => tl.conversation(log.id).append(other, { key }))
  if (
    answer.kind === 'doubt' ||
    (answer.kind === 'refused' && answer.error.code === 'KEY_CONFLICT')
  )
    return
  unexpected(scene, 'a key for other content', answer)
}

/** Random messages: talk, attacks, parallel calls and late results; each text has a unique word. */
export interface Drawing {
  readonly chance: Chance
  /** Unique names of messages. */
  nextName(): string
  /** Marks of blocks that an attacker has seen. */
  readonly marks: readonly string[]
}

/** The unique words of messages in a value. */
export function wordsIn(value: unknown): readonly string[] {
  return [...new Set(JSON.stringify(value).match(/zeb\d+qu\.\d+/g))]
}

/** Any text may follow the word; nothing precedes it. */
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

function drawnBatch(drawing: Drawing, openCalls: string[]): readonly MessageInput[] {
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

/** Another message of the same role, with the same kind of parts. */
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
