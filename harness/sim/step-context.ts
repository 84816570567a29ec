/** Contexts, for several models and windows, and what leads to other ones. */
import { isDeepStrictEqual } from 'node:util'
import { type Context, type ContextInput, type MessageInput, recallToolSchemas } from 'throughline'
import { marksOf } from '../history/check-pins.ts'
import { plainWords } from '../prop/random-text.ts'
import { tokenizer } from '../races/strict-model.ts'
import { settleCauses } from './break-causes.ts'
import { checkContext } from './check-context.ts'
import { saidIn } from './expected.ts'
import { chatModels } from './sim-engine.ts'
import { type Scene, type Step, unexpected } from './step.ts'

export const context: Step = {
  name: 'context',
  weight: 24,
  together: true,
  run: async (scene) => {
    const { chance } = scene.world.stage
    const input = { model: chance.pick(chatModels).id, ...drawnExtras(scene) }
    const made = await contextFor(scene, input)
    if (made !== null && scene.alone && chance.once(3)) await askedAgain(scene, input, made)
  },
}

/** The other engine, which remembers other things, says the same of the same state (invariant 7). */
async function askedAgain(scene: Scene, input: ContextInput, first: Context): Promise<void> {
  const { world, log, slot } = scene
  const other: Scene = { ...scene, slot: slot === 0 ? 1 : 0 }
  const isSame = isDeepStrictEqual(world.engine(slot).policy, world.engine(other.slot).policy)
  const state = async () => {
    const { version, head } = (await world.look(log.id).info()) ?? {}
    return `${version} ${head}`
  }
  const before = await state()
  const second = await contextFor(other, input)
  if (!isSame || second === null || before !== (await state())) return
  if (JSON.stringify(shownIn(first)) !== JSON.stringify(shownIn(second)))
    world.findings.push({
      rule: 'same-bytes',
      detail: `"${log.id}": ${first.fingerprint} and ${second.fingerprint}`,
    })
}

function shownIn({ system, messages, omitted, repairs, tokens }: Context) {
  return { system, messages, omitted, repairs, tokens }
}

function drawnExtras({ world, alone }: Scene): Omit<ContextInput, 'model'> {
  const { chance } = world.stage
  return {
    system: chance.once(12) ? 'Be brief.' : 'You are a careful agent.',
    ...(chance.once(10) && { retrieved: plainWords(chance, chance.between(20, 900)) }),
    ...(chance.once(12) && { profile: 'Likes short answers.' }),
    ...(chance.once(10) && { tools: recallToolSchemas() }),
    ...(alone && chance.once(8) && { next: { role: 'user', content: 'And what came of it?' } }),
  }
}

async function contextFor(scene: Scene, input: ContextInput): Promise<Context | null> {
  const { world, log, slot } = scene
  const acknowledged = log.messages.length
  const { policy } = world.engine(slot)
  const pins = log.pins
  const answer = await world.ask(slot, (tl) => tl.conversation(log.id).context(input))
  if (answer.kind === 'refused') {
    if (answer.error.code !== 'CONTEXT_OVERFLOW' || !isPinnedFull(scene, input.model))
      unexpected(scene, `context of ${input.model}`, answer)
    return null
  }
  if (answer.kind === 'doubt') {
    log.unheard.add(input.model)
    return null
  }
  world.stage.count('contexts')
  if (answer.value.decision.kind === 'compact') world.stage.count('compactions')
  if (answer.value.prefixOf !== null) world.stage.count('contexts that go on')
  const made = world.planted.context?.(answer.value) ?? answer.value
  world.stage.trace.note(
    `  context ${made.model} of "${log.id}": ${made.fingerprint}, ${made.tokens} of ${made.available}, epoch ${made.epoch}, ${made.decision.kind} ${made.decision.reason}, broken by ${made.brokenBy}`,
  )
  const { files: _, ...shown } = made
  world.stage.trace.weigh(JSON.stringify(shown))
  world.seen(marksOf(made))
  const next: MessageInput | undefined = input.next
  world.findings.push(
    ...(await checkContext(world.look(log.id), log, {
      context: made,
      policy,
      acknowledged,
      input,
      alone: scene.alone,
      next,
      pins,
    })),
  )
  if (scene.alone) settleCauses(log, input.model)
  return made
}

/** Pins are shown word for word: where they alone fill the window there is no context. */
function isPinnedFull({ log }: Scene, model: string): boolean {
  const window = chatModels.find(({ id }) => id === model)?.contextWindowTokens ?? 0
  const tokens = [...log.pins].reduce(
    (sum, seq) =>
      sum + tokenizer.count(JSON.stringify(saidIn(log.messages[seq]?.input.content ?? ''))) + 40,
    0,
  )
  return tokens > window / 3
}
