/** Edits, removes and purges messages, and purges whole conversations. */
import { happened } from './break-causes.ts'
import {
  contentsOf,
  type ExpectedLog,
  type ExpectedMessage,
  emptyLog,
  newMessage,
  removedMessage,
  wordsOf,
} from './expected.ts'
import { type Scene, type Step, unexpected } from './step.ts'
import { insteadOf } from './step-append.ts'

export const edit: Step = {
  name: 'edit',
  weight: 3,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const seq = world.stage.chance.below(log.messages.length + 1)
    const old = log.messages[seq]
    const rewrites = await rewritesOf(scene)
    const input = insteadOf(old?.input ?? { role: 'user', content: '' }, world.drawing)
    const answer = await world.ask(slot, (tl) => tl.conversation(log.id).history.edit(seq, input))
    if (answer.kind === 'refused') return unexpected(scene, 'edit', answer)
    const mayBe = old !== undefined && !old.removed
    if (answer.kind === 'done' && answer.value.ok !== mayBe)
      return unexpected(scene, `edit of #${seq}`, answer.value)
    if (old === undefined || !mayBe) return
    const isDone = answer.kind === 'done' || (await rewritesOf(scene)) > rewrites
    if (isDone) replace(log, seq, newMessage(input, contentsOf(old)))
  },
}

export const remove: Step = {
  name: 'remove',
  weight: 3,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    const from = chance.below(log.messages.length + 1)
    const to = from + chance.between(1, 3)
    const rewrites = await rewritesOf(scene)
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).history.remove({ from, to }),
    )
    if (answer.kind === 'refused') return unexpected(scene, 'remove', answer)
    const mayBe = from < log.messages.length
    if (answer.kind === 'done' && answer.value.ok !== mayBe)
      return unexpected(scene, `remove of #${from}`, answer.value)
    const places = log.messages.flatMap(({ removed }, seq) =>
      seq < from || seq >= to || removed ? [] : [seq],
    )
    const [first] = places
    if (first === undefined) return
    if (answer.kind === 'doubt' && (await rewritesOf(scene)) === rewrites) return
    for (const seq of places) takeOut(log, seq, false)
  },
}

export const purgeMessage: Step = {
  name: 'purge message',
  weight: 3,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    const seq = chance.below(log.messages.length + 1)
    const rewrites = await rewritesOf(scene)
    const forks = chance.pick(['refuse', 'purge', 'purge'] as const)
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).history.purgeMessage(seq, { forks }),
    )
    if (answer.kind === 'refused') return unexpected(scene, 'purge of a message', answer)
    const old = log.messages[seq]
    if (old === undefined) {
      if (answer.kind === 'done' && answer.value.kind !== 'not-found')
        unexpected(scene, `purge of #${seq}`, answer.value)
      return
    }
    const holders = holdersOf(world.logs, log, seq, old)
    const isRefused = forks === 'refuse' && holders.length > 1
    const purged = holders.length === 0 ? 'already-purged' : 'purged'
    if (answer.kind === 'done' && answer.value.kind !== (isRefused ? 'has-forks' : purged))
      return unexpected(scene, `purge of #${seq}, which ${holders.length} have`, answer.value)
    if (isRefused) return
    if (answer.kind === 'doubt' && (await rewritesOf(scene)) === rewrites) return
    const words = holders.flatMap((holder) => wordsOf(holder.messages[seq] ?? old))
    for (const holder of holders) takeOut(holder, seq, true)
    if (answer.kind === 'done' && answer.value.kind === 'purged' && answer.value.erased)
      checkErased(scene, words)
  },
}

export const purge: Step = {
  name: 'purge',
  weight: 1,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { logs } = world
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).history.purge({ forks: 'purge' }),
    )
    if (answer.kind === 'refused') return unexpected(scene, 'purge', answer)
    const words: string[] = []
    const named =
      answer.kind === 'done' && answer.value.kind === 'purged' ? answer.value.conversations : []
    for (const id of named)
      if ((await world.look(id).info()) !== null)
        world.findings.push({ rule: 'erased', detail: `"${id}" is still there` })
    for (const each of [...logs]) {
      // A fork is purged with its source; the engine reports which, and the store confirms it.
      if ((await world.look(each.id).info()) !== null || each.events.length === 0) continue
      const isNamed = answer.kind === 'doubt' || named.some((id) => id === each.id)
      if (!isNamed)
        world.findings.push({ rule: 'lost', detail: `"${each.id}" by a purge of "${log.id}"` })
      words.push(...each.messages.flatMap(wordsOf))
      const fresh = emptyLog(each.id)
      for (const word of [...each.gone, ...words]) fresh.gone.add(word)
      logs[logs.indexOf(each)] = fresh
    }
    if (answer.kind === 'done' && answer.value.kind === 'purged' && answer.value.erased)
      checkErased(scene, words)
  },
}

/** The number of rewrites, which reveals one whose answer was lost. */
async function rewritesOf({ world, log }: Scene): Promise<number> {
  return (await world.look(log.id).info())?.rewrites ?? 0
}

/** The conversations that have the message at that position, in its current or an earlier form. */
function holdersOf(
  logs: readonly ExpectedLog[],
  log: ExpectedLog,
  seq: number,
  old: ExpectedMessage,
): readonly ExpectedLog[] {
  const known = contentsOf(old)
  // Nothing is left of it, so nothing must be done.
  if (known.length === 0) return []
  return logs.filter((each) => {
    const there = each.messages[seq]
    return each === log || (there !== undefined && !there.removed && known.includes(there.content))
  })
}

function replace(log: ExpectedLog, seq: number, message: ExpectedMessage): void {
  // Turns that depend on it are removed with it.
  for (const cause of ['history-changed', 'remembered', 'memory-changed'] as const)
    happened(log, cause)
  log.moved = true
  const old = log.messages[seq]
  for (const word of old === undefined ? [] : wordsOf(old)) log.gone.add(word)
  log.messages[seq] = message
}

function takeOut(log: ExpectedLog, seq: number, isPurged: boolean): void {
  const old = log.messages[seq]
  if (old === undefined) return
  replace(log, seq, removedMessage(old, isPurged))
  if (log.pins.has(seq)) happened(log, 'pins-changed')
  log.pins = new Set([...log.pins].filter((pin) => pin !== seq))
}

/** Text that was reported as erased is in no byte of the files. */
function checkErased({ world, log }: Scene, words: readonly string[]): void {
  const bytes = world.store.bytes()
  if (bytes === null) return
  const kept = new Set(world.logs.flatMap(({ messages }) => messages.flatMap(wordsOf)))
  for (const word of words)
    if (!kept.has(word) && bytes.includes(word))
      world.findings.push({ rule: 'erased', detail: `${word} of "${log.id}" is in the file` })
}
