/** Views gone back to and corrected, and conversations forked. */
import { happened } from './break-causes.ts'
import { type ExpectedLog, forkedLog } from './expected.ts'
import { chatModels } from './sim-engine.ts'
import { type Step, unexpected } from './step.ts'

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

/** What the view of then was made for may not be what there is now. */
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
