/**
 * The messages of the user and the answers of the models. Your agent would ask a real model here
 * (`languageModel` of `throughline/models`). This one follows a script, so that the example runs
 * anywhere and prints the same every time.
 */
import { type ScriptedModel, scriptedModel } from 'throughline/testing'
import type { TurnDecision } from 'throughline/turns'
import type { PlannedStep } from './tools.ts'

export interface Routed {
  readonly agent: string
  readonly goal: string
  readonly complexity: 'low' | 'medium' | 'high'
}

export interface Planned {
  readonly decision: TurnDecision
  readonly steps: readonly PlannedStep[]
  readonly proposal?: string
  readonly assumptions?: readonly string[]
  readonly questions?: readonly string[]
}

interface ScriptedTurn {
  readonly user: string
  readonly route: Routed
  readonly think: Planned
  readonly reply: string
}

const agent = 'kitchen'

const turns: readonly ScriptedTurn[] = [
  {
    user: 'I have rice, miso and spring onions. What could I cook this week?',
    route: { agent, goal: 'propose recipes with rice and miso', complexity: 'medium' },
    think: {
      decision: 'propose',
      steps: [{ tool: 'draft', names: ['Rice Bowl', 'Miso Soup', 'Onion Rice'] }],
      proposal: 'Save Rice Bowl, Miso Soup and Onion Rice as recipes for this week.',
      assumptions: ['two people eat', 'there are eggs'],
    },
    reply:
      'I could write down three recipes for you: Rice Bowl, Miso Soup and Onion Rice. Shall I save them?',
  },
  {
    user: 'The first two look good, save them. No Onion Rice, please.',
    route: { agent, goal: 'save the recipes', complexity: 'low' },
    think: {
      decision: 'plan_direct',
      steps: [
        { tool: 'save', names: ['Rice Bowl', 'Miso Soup'] },
        { tool: 'reject', names: ['Onion Rice'] },
      ],
    },
    reply: 'Done! I saved Rice Bowl and Miso Soup.',
  },
  {
    user: 'Now plan the evenings of this week with them.',
    route: { agent, goal: 'plan the evenings of this week', complexity: 'high' },
    think: {
      decision: 'plan_direct',
      steps: [
        { tool: 'read', names: [] },
        {
          tool: 'plan',
          names: ['Plan of the week', 'Mon: Rice Bowl', 'Wed: Miso Soup', 'Thu: Rice Bowl'],
        },
      ],
    },
    reply: `Done! I wrote the **Plan of the week**:

- **Rice Bowl** on Monday and on Thursday. On Thursday the rest of the rice from Monday will do, so there is nothing to cook twice.
- **Miso Soup** on Wednesday, with the spring onions, which do not keep much longer than that.

Tuesday and Friday are free, and so is the weekend. Put the rice to soak in the morning on Monday, and take the miso out of the fridge an hour before you begin, so that it dissolves in the warm stock without boiling.`,
  },
  {
    user: 'Can you move the one on Thursday?',
    route: { agent, goal: 'move a meal of the plan', complexity: 'low' },
    think: { decision: 'clarify', steps: [], questions: ['To which day shall it go?'] },
    reply: 'Of course. To which day shall it go?',
  },
  {
    user: 'To Friday.',
    route: { agent, goal: 'move the meal of Thursday to Friday', complexity: 'low' },
    think: {
      decision: 'plan_direct',
      steps: [
        {
          tool: 'change',
          names: ['Plan of the week', 'Mon: Rice Bowl', 'Wed: Miso Soup', 'Fri: Rice Bowl'],
        },
      ],
    },
    reply: 'Rice Bowl is on Friday now.',
  },
  {
    user: 'And what do I have to buy?',
    route: { agent, goal: 'write a list of what to buy', complexity: 'medium' },
    think: {
      decision: 'plan_direct',
      steps: [
        { tool: 'read', names: [] },
        {
          tool: 'shop',
          names: ['Shopping list', 'eggs', 'tofu', 'seaweed', 'sesame', 'ginger', 'soy sauce'],
        },
      ],
    },
    reply:
      'I wrote a Shopping list with six things on it: eggs, tofu, seaweed, sesame, ginger and soy sauce.',
  },
  {
    user: 'I do not like Miso Soup after all.',
    route: { agent, goal: 'do without Miso Soup', complexity: 'low' },
    think: {
      decision: 'propose',
      steps: [],
      proposal: 'Delete the recipe Miso Soup and leave Wednesday free.',
    },
    reply: 'Then I would delete the recipe Miso Soup and leave Wednesday free. Shall I?',
  },
  {
    user: 'Yes, please.',
    route: { agent, goal: 'delete Miso Soup', complexity: 'low' },
    think: {
      decision: 'plan_direct',
      steps: [
        { tool: 'delete', names: ['Miso Soup'] },
        { tool: 'change', names: ['Plan of the week', 'Mon: Rice Bowl', 'Fri: Rice Bowl'] },
      ],
    },
    reply: 'Miso Soup is deleted, and Wednesday is free.',
  },
]

export const userTexts: readonly string[] = turns.map(({ user }) => user)

/** The model of the agent. The first word of the system prompt says which part of it asks. */
export function kitchenModel(): ScriptedModel {
  return scriptedModel(({ system, messages }) => {
    const last = messages.at(-1)?.content ?? ''
    const turn = turns.find(({ user }) => last.endsWith(user))
    if (turn === undefined) return 'I do not know the answer.'
    if (system?.startsWith('Route') === true) return JSON.stringify(turn.route)
    if (system?.startsWith('Think') === true) return JSON.stringify(turn.think)
    return turn.reply
  })
}

/** The model of the memory. Each request asks for one sentence. */
export function memoryModel(): ScriptedModel {
  return scriptedModel(({ system, messages }) => {
    const text = messages.map(({ content }) => content).join('\n')
    return JSON.stringify({ summary: sentenceFor(system ?? '', text) })
  })
}

function sentenceFor(system: string, text: string): string {
  if (system.includes('what a conversation is about'))
    return text.includes('evenings') || text.includes('Plan of the week')
      ? 'Planning the evenings of this week with rice and miso.'
      : 'Cooking with rice and miso this week.'
  if (system.includes('replaces the answer'))
    return 'Wrote the Plan of the week with Rice Bowl on Monday and Thursday and Miso Soup on Wednesday.'
  return lines.find(([words]) => text.includes(words))?.[1] ?? 'User and assistant continued.'
}

/** The history line of each turn, found by words of the turn. */
const lines: readonly (readonly [words: string, sentence: string])[] = [
  [
    'What could I cook',
    'User asked what to cook; assistant proposed three recipes: Rice Bowl, Miso Soup, Onion Rice.',
  ],
  ['save them', 'User asked to save two recipes; assistant saved Rice Bowl and Miso Soup.'],
  ['plan the evenings', 'User asked for a plan; assistant wrote the Plan of the week.'],
  ['move the one', 'User asked to move a meal; assistant asked to which day it shall go.'],
  ['To Friday', 'User chose Friday; Rice Bowl is on Friday now.'],
]
