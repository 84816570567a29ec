/** Steps that change the engine: compaction on request, its mode, policies, clocks, and waiting. */
import { happened } from './break-causes.ts'
import { type ExpectedLog, forkedLog } from './expected.ts'
import { chatModels, simPolicies } from './sim-engine.ts'
import { type Step, unexpected } from './step.ts'

export const compact: Step = {
  name: 'compact',
  weight: 4,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    happened(log, 'manual')
    const afresh = world.stage.chance.once(4)
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).compactNextRequest({ afresh }),
    )
    if (answer.kind === 'refused') unexpected(scene, 'compact', answer)
  },
}

/** The provider reports that the newest request was too long: the next is smaller, or says why not. */
export const overflowed: Step = {
  name: 'overflowed',
  weight: 1,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const fingerprint = [...log.contexts.keys()].at(-1)
    if (fingerprint === undefined) return
    happened(log, 'provider-overflow')
    const error = { status: 400, message: 'prompt is too long: 9000 tokens > 8000 maximum' }
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).overflowed(fingerprint, error),
    )
    if (answer.kind === 'refused') unexpected(scene, 'overflowed', answer)
  },
}

export const switchCompaction: Step = {
  name: 'switch compaction',
  weight: 2,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const compaction = world.stage.chance.pick(['on', 'off', 'shadow', null] as const)
    log.mode = undefined
    const answer = await world.ask(slot, (tl) => tl.conversation(log.id).update({ compaction }))
    if (answer.kind === 'done' && answer.value.ok) log.mode = compaction
    if (answer.kind === 'refused') unexpected(scene, 'update', answer)
  },
}

export const changePolicy: Step = {
  name: 'change policy',
  weight: 2,
  together: false,
  run: async ({ world, slot }) => {
    world.replace(slot, world.stage.chance.below(simPolicies.length))
  },
}

const day = 86_400_000

export const turnClock: Step = {
  name: 'turn clock',
  weight: 2,
  together: false,
  run: async ({ world }) => {
    const { chance, turnClock: turn } = world.stage
    turn(chance.pick([1, 60_000, day, -1, -60_000, -day, 40 * day, -400 * day]))
  },
}

export const settle: Step = {
  name: 'settle',
  weight: 3,
  together: true,
  run: async (scene) => {
    const answer = await scene.world.ask(scene.slot, (tl) => tl.settled())
    if (answer.kind === 'refused') unexpected(scene, 'settled', answer)
  },
}

/** Steps that undo, restore and correct views, and fork conversations. */
export const undo: Step = {
  name: 'undo',
  weight: 3,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    const model = chance.pick(chatModels).id
    const options = { ...(chance.once(2) && { model }), compactions: chance.pick([1, 1, 2]) }
    wentBack(log)
    const answer = await world.ask(slot, (tl) => tl.conversation(log.id).history.undo(options))
    if (answer.kind === 'refused') unexpected(scene, 'undo', answer)
  },
}

export const restore: Step = {
  name: 'restore',
  weight: 2,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const versions = await world.look(log.id).history.versions({ limit: 50 })
    const chosen = versions[world.stage.chance.below(versions.length + 1)]
    if (chosen === undefined) return
    wentBack(log)
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).history.restore(chosen.version),
    )
    if (answer.kind === 'refused') unexpected(scene, 'restore', answer)
  },
}

export const editSummary: Step = {
  name: 'edit summary',
  weight: 2,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    const model = chance.pick(chatModels).id
    happened(log, 'summary-edited')
    const text = `A person says that step ${chance.below(1_000)} was the right one.`
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).history.editSummary({ model, text }),
    )
    if (answer.kind === 'refused') unexpected(scene, 'edit of a summary', answer)
  },
}

/** The restored view may have been made for other conditions. */
function wentBack(log: ExpectedLog): void {
  for (const cause of ['restored', 'pins-changed', 'policy-changed', 'remembered'] as const)
    happened(log, cause)
}

const conversationsMost = 4

export const fork: Step = {
  name: 'fork',
  weight: 2,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    if (world.logs.length >= conversationsMost || log.messages.length === 0) return
    const at = chance.below(log.messages.length + 1)
    const id = `${log.id}-${world.drawing.nextName()}`
    const answer = await world.ask(slot, (tl) => tl.conversation(log.id).history.fork(at, id))
    if (answer.kind === 'refused' || (answer.kind === 'done' && !answer.value.ok))
      return unexpected(scene, `fork at ${at}`, answer)
    if (answer.kind === 'doubt' && (await world.look(id).info()) === null) return
    world.logs.push(forkedLog(log, at, id))
  },
}
