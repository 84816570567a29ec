/** Appending: with a key or without, sent again, in conflict, several at once, turns that are remembered. */
import type { AppendResult, MessageInput } from 'throughline'
import { drawnBatch } from './drawn-messages.ts'
import { newMessage } from './expected.ts'
import { type Scene, type Step, unexpected } from './step.ts'

const triesMax = 12

/** Where the messages stand; null where nobody has heard, and nobody asks again. */
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

/** Each message has a place that nobody else has, one behind the other. */
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
      world.findings.push({ rule: 'places', detail: `"${log.id}": #${seq} behind #${first}` })
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

/** By the other engine: nothing is added. */
async function again(scene: Scene, batch: readonly MessageInput[], key: string): Promise<void> {
  const { world, log, slot } = scene
  const other = slot === 0 ? 1 : 0
  const head = log.messages.length
  const answer = await world.ask(other, (tl) => tl.conversation(log.id).append(batch, { key }))
  if (answer.kind === 'refused') unexpected(scene, 'append again', answer)
  if (answer.kind === 'done' && !answer.value.entries.every(({ repeated }) => repeated))
    world.findings.push({ rule: 'doubled', detail: `"${log.id}": sent again behind ${head}` })
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
