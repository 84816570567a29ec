/** What changes how things are done: compaction asked for and switched, policies, clocks, and waiting. */
import { happened } from './break-causes.ts'
import { simPolicies } from './sim-policies.ts'
import { type Step, unexpected } from './step.ts'

export const compact: Step = {
  name: 'compact',
  weight: 4,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    happened(log, 'manual')
    const afresh = world.stage.chance.once(4)
    const answer = await world.ask(slot, (tl) => tl.conversation(log.id).compact({ afresh }))
    if (answer.kind === 'refused') unexpected(scene, 'compact', answer)
  },
}

/** The provider says that the newest request was too long: the next one is smaller, or says why not. */
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
