/** Turns of an agent in a kitchen, and answers of a model about them, for tests. */
import type { JudgedAnswer } from '../conversation/access.ts'
import type { Entity } from '../domain/entity.ts'
import {
  type AgentTurn,
  byRules,
  type HistoryLine,
  type StepDigest,
  type StepResult,
  type Thought,
  type TurnEntity,
  type TurnRecord,
} from '../domain/turn-memory.ts'
import type { ModelAnswer } from '../ports/language-model.ts'
import type { TurnAnswer, TurnQuestion } from './questions.ts'

/** Over 400 characters; the last name is after the first 300. */
export const saved = [
  'Done! I saved the recipes to your cookbook, where you find them under **Weeknight Dinners** from now on.',
  '',
  '- **Pad Thai**: rice noodles, tamarind, peanuts and an egg, ready in 25 minutes',
  '- **Crème Brûlée**: cream, sugar, vanilla, four hours in the fridge before it is served',
  '- **Green Curry**: coconut milk, basil and aubergines, as hot as you like it to be',
  '',
  'All of them serve two people, and each one has a list of what to buy. The last one is "Grandmother\'s Plum Cake".',
].join('\n')

export const noStep: StepResult = {
  description: 'Save the recipes',
  subdomain: 'recipes',
  status: 'done',
  result: null,
  outcome: 'saved',
  entityIds: [],
  recordCount: null,
  error: null,
}

export const noThought: Thought = {
  goal: 'Save the recipes',
  decision: 'plan_direct',
  steps: ['Save the recipes'],
  proposalMessage: null,
  assumptions: [],
  clarificationQuestions: [],
}

export function turnOf(changed: Partial<AgentTurn> = {}): AgentTurn {
  return {
    finalResponse: saved,
    userMessage: 'Please save these recipes for me',
    router: { agent: 'kitchen', goal: 'Save the recipes', complexity: 'low' },
    think: noThought,
    steps: [noStep],
    entities: [],
    entityUpdates: [],
    ...changed,
  }
}

export const noEntity: TurnEntity = {
  id: 'temp_recipe_1',
  type: 'recipe',
  label: 'Pad Thai',
  source: 'generate',
  state: null,
  formerId: null,
  replaces: null,
  action: null,
  succeeded: true,
  subdomain: null,
  data: null,
}

export function recordOf(changed: Partial<TurnRecord> = {}): TurnRecord {
  return {
    turn: 4,
    key: null,
    messages: { from: 0, to: 0 },
    at: 0,
    user: 'Please save these recipes for me',
    assistant: saved,
    digest: null,
    routing: null,
    decision: 'plan_direct',
    entitiesMentioned: [],
    steps: [],
    compressed: null,
    audit: {
      created: [],
      updated: [],
      deleted: [],
      artifactsGenerated: 0,
      artifactsSaved: 0,
      errors: [],
      stepsDone: 0,
      stepsTotal: 0,
    },
    knows: { theme: null, history: [], pending: null, entities: [] },
    forgotten: false,
    ...changed,
  }
}

export function entityOf(changed: Partial<Entity> = {}): Entity {
  return {
    id: 'recipe-1',
    type: 'recipe',
    label: 'Miso Soup',
    aliases: [],
    state: 'active',
    source: 'db_write',
    turnCreated: 4,
    turnLastRef: 4,
    turnUpdated: 4,
    since: 4,
    rejected: false,
    subdomain: null,
    data: null,
    ...changed,
  }
}

export function digestOf(changed: Partial<StepDigest> = {}): StepDigest {
  return {
    turn: 4,
    step: 0,
    description: 'Save the recipes',
    subdomain: null,
    status: 'done',
    outcome: 'saved 3 recipes',
    entityIds: [],
    recordCount: null,
    ...changed,
  }
}

/** A line of one turn. */
export function lineOf(turn: number, text: string, by = byRules): HistoryLine {
  return { from: turn, to: turn + 1, text, by }
}

export function answered(text: string, finish: ModelAnswer['finish'] = 'stop'): ModelAnswer {
  return { kind: 'answered', text, finish, usage: null, model: 'a/b' }
}

function judgedAs(question: TurnQuestion, summary: string): JudgedAnswer<TurnAnswer> {
  return question.judge(answered(JSON.stringify({ summary })))
}

/** The accepted sentence, or `refused: …` with the reasons. */
export function acceptedText(question: TurnQuestion, summary: string): string {
  const judgement = judgedAs(question, summary)
  return judgement.kind === 'ok' ? judgement.value.text : `refused: ${judgement.reasons.join('; ')}`
}
