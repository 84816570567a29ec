/** A random turn of an agent: user message, decision, actions and answer. */
import type { MessageInput } from 'throughline'
import type {
  AfterReplyInput,
  EntityInput,
  EntityUpdateInput,
  StepInput,
  ThoughtInput,
} from 'throughline/turns'
import type { Chance } from '../kernel/chance.ts'
import type { Action, AgentsWorld } from './agents-world.ts'
import { attack, picture, prose, proseOf, secret, sentence } from './random-text.ts'

export interface RandomTurn {
  readonly input: AfterReplyInput
  readonly key: string | null
  /** Messages to append before the turn is remembered. */
  readonly messages: readonly MessageInput[]
  /** Whether the caller passes `head`. */
  readonly passesHead: boolean
}

export interface TurnGenerator {
  readonly chance: Chance
  readonly world: AgentsWorld
  /** All secrets in the texts so far. */
  readonly secrets: string[]
  readonly responseCharacters: number
  /** In how many of ten turns messages are appended. */
  readonly appended: number
}

export function randomTurn(generator: TurnGenerator, number: number): RandomTurn {
  const { chance, world } = generator
  world.beginTurn()
  const decision = chance.pick<ThoughtInput['decision']>([
    'plan_direct',
    'plan_direct',
    'plan_direct',
    'propose',
    'clarify',
  ])
  const { entities, entityUpdates } = randomActions(generator, decision)
  const userMessage = messageText(generator, chance.once(25) ? 60 : chance.between(1, 3))
  const finalResponse = answer(generator, entities)
  const input: AfterReplyInput = {
    userMessage,
    finalResponse,
    router: chance.once(10)
      ? null
      : {
          goal: goal(chance),
          complexity: chance.pick(['low', 'low', 'low', 'medium', 'medium', 'high']),
          agent: chance.pick(['kitchen', 'shopping', null]),
        },
    think: chance.once(8) ? null : thought(generator, decision),
    steps: chance.times(chance.pick([0, 0, 1, 1, 2, 3, 5]), () => step(generator)),
    entities,
    entityUpdates,
  }
  return {
    input,
    key: chance.once(2) ? `turn-${number}` : null,
    messages: chance.below(10) < generator.appended ? messagesOf(generator, input) : [],
    passesHead: chance.once(4),
  }
}

const direct: readonly [Action, ...Action[]] = [
  'reads',
  'reads',
  'saves',
  'saves',
  'saves',
  'fails-to-save',
  'generates-and-saves',
  'writes',
  'updates',
  'deletes',
  'discards',
  'replaces',
  'redrafts',
  'renames',
  'links-late',
  'lies-of-a-write',
  'analyzes',
]
const proposing: readonly [Action, ...Action[]] = [
  'generates',
  'generates',
  'reads',
  'analyzes',
  'replaces',
]

function randomActions({ chance, world }: TurnGenerator, decision: ThoughtInput['decision']) {
  const among = decision === 'plan_direct' ? direct : proposing
  const entities: EntityInput[] = []
  // Some turns do nothing, so that entities become stale.
  const count = chance.pick([0, 0, 0, 1, 1, 1, 2, 3])
  for (let action = 0; action < count; action += 1) entities.push(...world.does(chance.pick(among)))
  // An agent may report the same entity twice.
  const [first] = entities
  if (first !== undefined && first.action !== 'delete' && chance.once(10)) entities.push(first)
  const entityUpdates: EntityUpdateInput[] = []
  if (chance.once(4)) {
    const update = world.confirms()
    if (update !== null) entityUpdates.push(update)
  }
  return { entities, entityUpdates }
}

function thought(generator: TurnGenerator, decision: ThoughtInput['decision']): ThoughtInput {
  const { chance } = generator
  const planned = chance.times(chance.pick([0, 0, 1, 1, 2, 3]), () => sentence(chance, 6))
  const lines = () => chance.times(chance.below(4), () => sentence(chance, chance.between(3, 40)))
  return {
    decision,
    ...(!chance.once(6) && { goal: goal(chance) }),
    steps: chance.once(3) ? planned.map((description) => ({ description })) : planned,
    ...(decision === 'propose' &&
      !chance.once(6) && { proposalMessage: prose(chance, chance.pick([1, 4, 60])) }),
    assumptions: lines(),
    ...(decision === 'clarify' && !chance.once(6) && { clarificationQuestions: lines() }),
  }
}

function goal(chance: Chance): string {
  return `look after the ${chance.pick(['larder', 'evening', 'week', 'guests', 'leftovers'])} number ${chance.below(90)}`
}

function messageText({ chance, world, secrets }: TurnGenerator, sentences: number): string {
  const parts = [prose(chance, sentences)]
  for (let mentions = chance.pick([0, 0, 1, 2]); mentions > 0; mentions -= 1) {
    const mention = world.mention()
    if (mention !== null) parts.push(`${mention} ,`)
  }
  if (chance.once(10)) parts.push(attack(chance))
  if (chance.once(12)) parts.push(kept(secrets, secret(chance)))
  if (chance.once(8)) parts.push(picture(chance))
  return parts.join(' ')
}

function kept(secrets: string[], one: string): string {
  secrets.push(one)
  return one
}

function answer(generator: TurnGenerator, entities: readonly EntityInput[]): string {
  const { chance, responseCharacters: limit } = generator
  const named = entities.map(({ label }) => label)
  const long = () =>
    [
      messageText(generator, 4),
      ...named.map((label) => `- **${label}**: ${sentence(chance, 8)}`),
      prose(chance, chance.between(6, 30)),
    ].join('\n')
  return chance.pick([
    () => messageText(generator, 1),
    () => messageText(generator, 2),
    () => [...named, sentence(chance, 4)].join(', '),
    () => proseOf(chance, Math.max(1, limit)),
    () => proseOf(chance, limit + 1),
    long,
    long,
    () => (chance.once(6) ? prose(chance, 400) : long()),
  ])()
}

function step(generator: TurnGenerator): StepInput {
  const { chance, secrets } = generator
  const words = () => {
    const text = sentence(chance, chance.between(2, 30))
    if (chance.once(15)) return `${text} ${kept(secrets, secret(chance))}`
    return chance.once(15) ? `${text}\n${attack(chance)}` : text
  }
  const failed = chance.once(6)
  return {
    description: words(),
    ...(!chance.once(8) && { result: result(chance) }),
    ...(chance.once(5) && { outcome: words() }),
    ...(chance.once(5) && { entityIds: [7, 'rec-7', 'rec-7'] }),
    ...(chance.once(6) && { recordCount: chance.below(50) }),
    ...(failed && chance.once(2) && { error: { code: 'UPSTREAM', message: words() } }),
    ...(failed && { status: 'failed' as const }),
    ...(!failed && chance.once(12) && { status: 'skipped' as const }),
  }
}

function result(chance: Chance): unknown {
  const record = (index: number) => ({
    id: index,
    type: chance.pick(['soup', 'stew']),
    name: sentence(chance, 3),
  })
  let deep: unknown = 'bottom'
  for (let level = 0; level < 40; level += 1) deep = { deep }
  return chance.pick([
    null,
    true,
    chance.below(1_000) / 7,
    '',
    prose(chance, 3),
    prose(chance, 80),
    [],
    chance.times(chance.between(1, 60), record),
    { rows: chance.times(chance.below(9), record), total: 9 },
    { first: [1], second: [2, 3] },
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
    { text: attack(chance), [attack(chance).toWellFormed()]: 1 },
    deep,
  ])
}

function messagesOf({ chance }: TurnGenerator, input: AfterReplyInput): readonly MessageInput[] {
  const callId = `call-${chance.below(1_000_000_000)}`
  const work: readonly MessageInput[] = chance.once(3)
    ? [
        {
          role: 'assistant',
          content: [{ type: 'tool-call', callId, name: 'look', input: { at: 'larder' } }],
        },
        { role: 'tool', content: [{ type: 'tool-result', callId, output: sentence(chance, 20) }] },
      ]
    : []
  return [
    { role: 'user', content: input.userMessage.toWellFormed() },
    ...work,
    { role: 'assistant', content: String(input.finalResponse).toWellFormed() },
    // A user message after the answer belongs to the next turn.
    ...(chance.once(10) ? [{ role: 'user', content: sentence(chance, 5) } as const] : []),
  ]
}
