/**
 * An agent that routes, thinks, acts, replies and remembers: `npm run example:agent`.
 *
 * The log has all messages. The turn memory has what the agent needs from earlier turns, and
 * `afterReply` updates it after each reply. The router and the planner read the memory condensed,
 * the reply reads it in full; no part of the agent reads the complete log.
 */
import { type ConversationHandle, createThroughline } from 'throughline'
import type { ScriptedModel } from 'throughline/testing'
import { type AfterReply, afterReply } from 'throughline/turns'
import { Database } from './database.ts'
import type { PlayedTurn } from './played-turn.ts'
import { printEnd, printTurn } from './screen.ts'
import { kitchenModel, memoryModel, type Planned, type Routed, userTexts } from './script.ts'
import { type Drafts, tools } from './tools.ts'

const chatModel = 'openai/gpt-5-mini'

class Agent {
  readonly #chat: ConversationHandle
  readonly #model: ScriptedModel
  readonly #database = new Database()
  readonly #drafts: Drafts = new Map()

  constructor(chat: ConversationHandle, model: ScriptedModel) {
    this.#chat = chat
    this.#model = model
  }

  async turn(user: string): Promise<PlayedTurn> {
    const route = JSON.parse(await this.#ask('Route the request.', user)) as Routed
    const plan = JSON.parse(await this.#ask('Think of a plan.', user)) as Planned
    const done = plan.steps.map(({ tool, names }) =>
      tools[tool](names, this.#database, this.#drafts),
    )
    const reply = await this.#ask('Reply to the user.', user)
    await this.#chat.append([
      { role: 'user', content: user },
      { role: 'assistant', content: reply },
    ])
    const remembered = await this.#remember({ user, route, plan, done, reply })
    const next = { role: 'user', content: '…' } as const
    const forPlanner = await this.#chat.context({ model: chatModel, memory: 'condensed', next })
    return { user, route, plan, done, reply, remembered, forPlanner }
  }

  /** Every part of the agent sends a context that contains the memory. */
  async #ask(system: string, user: string): Promise<string> {
    const memory = system.startsWith('Reply') ? 'full' : 'condensed'
    const next = { role: 'user', content: user } as const
    const context = await this.#chat.context({ model: chatModel, system, memory, next })
    const content = context.messages
      .flatMap(({ parts }) => parts)
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('\n')
    const request = { system, messages: [{ role: 'user', content }] } as const
    const settings = { maxOutputTokens: 1_000, temperature: 0, schema: null }
    const { signal } = new AbortController()
    const answer = await this.#model.generate({ ...request, ...settings }, { signal })
    if (answer.kind === 'failed') throw new Error(answer.failure.message)
    return answer.text
  }

  /** Stores the turn after the reply, in one call and one commit. */
  #remember({
    user,
    route,
    plan,
    done,
    reply,
  }: Omit<PlayedTurn, 'remembered' | 'forPlanner'>): Promise<AfterReply> {
    return afterReply(this.#chat, {
      userMessage: user,
      finalResponse: reply,
      router: route,
      think: {
        goal: route.goal,
        decision: plan.decision,
        steps: plan.steps.map(({ tool, names }) => `${tool} ${names.join(', ')}`.trim()),
        proposalMessage: plan.proposal,
        assumptions: plan.assumptions,
        clarificationQuestions: plan.questions,
      },
      steps: done.map(({ step }) => step),
      entities: done.flatMap(({ entities }) => entities),
      entityUpdates: done.flatMap(({ updates }) => updates),
    })
  }
}

// With its own clock, the example prints the same every time.
let now = Date.UTC(2026, 0, 5, 18)
const clock = { now: () => now }
const memory = memoryModel()
const tl = createThroughline({ policy: 'turn-memory', summarizer: memory, clock })
const chat = tl.conversation('kitchen')
const agent = new Agent(chat, kitchenModel())
for (const user of userTexts) {
  now += 5 * 60_000
  printTurn(await agent.turn(user))
}
await printEnd(chat, memory.asked.length)
await tl.close()
