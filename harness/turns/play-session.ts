/**
 * Plays one session of an agent: turns are appended and remembered by one or two engines, with
 * retries, empty answers, invalid input, forks, restarts and crashes in between. Every turn is
 * checked. The first finding ends the session, because later ones would follow from it.
 */
import type { Conversation, ConversationHandle, MessageInput } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import {
  type AfterReply,
  type AfterReplyInput,
  type AfterReplyOptions,
  afterReply,
  rememberedTurns,
  stepResult,
  type TurnRecord,
  turnMemory,
} from 'throughline/turns'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { AgentsWorld } from './agents-world.ts'
import { checkMemoryContext } from './check-contexts.ts'
import { checkEntities, checkMemory, checkStep } from './check-memory.ts'
import { type AddFinding, checkRecord, findingsIn, isSame, type SeenTurn } from './check-record.ts'
import { checkTexts } from './check-texts.ts'
import {
  type Expected,
  expectedAfter,
  nothingExpected,
  type PassedTurn,
  placeInLog,
  stepsOf,
} from './expected.ts'
import { crashedCopy } from './killed-play.ts'
import { prose } from './random-text.ts'
import { type RandomTurn, randomTurn, type TurnGenerator } from './random-turn.ts'
import { chatModel, type Planted, type SessionEngine, sessionEngine } from './session-engine.ts'
import { noFigures, type SessionFigures, type SessionPlan } from './session-plan.ts'
import { unreliableModel } from './unreliable-model.ts'

export interface SessionReport {
  readonly findings: readonly Finding[]
  readonly figures: SessionFigures
}

export async function playSession(
  plan: SessionPlan,
  turns: number,
  planted: Planted = {},
): Promise<SessionReport> {
  const session = new Session(plan, planted)
  try {
    await session.play(turns)
  } catch (error) {
    session.addFinding(
      'error',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
  } finally {
    await session.close()
  }
  return session.report()
}

type Changed = Extract<AfterReply, { readonly changed: true }>

interface TurnCall {
  readonly drawn: RandomTurn
  readonly engine: SessionEngine
}

class Session {
  readonly #plan: SessionPlan
  readonly #planted: Planted
  readonly #chance: Chance
  readonly #generator: TurnGenerator
  readonly #model
  readonly #folder = testFolder()
  readonly #memory = memory()
  readonly #engines: SessionEngine[] = []
  readonly #findings: Finding[] = []
  readonly #figures: Record<keyof SessionFigures, number> = { ...noFigures, sessions: 1 }
  #id = 'session'
  #now = Date.UTC(2026, 0, 1)
  /** The log as it was appended. */
  #log: readonly MessageInput[] = []
  /** The expected state after each turn; the first is empty. */
  #states: readonly Expected[] = [nothingExpected]
  #records: readonly TurnRecord[] = []
  /** Forked conversations that the session has left. */
  readonly #left: { readonly id: string; readonly records: readonly TurnRecord[] }[] = []

  constructor(plan: SessionPlan, planted: Planted) {
    this.#plan = plan
    this.#planted = planted
    this.#chance = chanceOf(`play ${plan.name}`)
    this.#model = plan.behaviours.length === 0 ? null : unreliableModel(plan.behaviours)
    this.#generator = {
      chance: chanceOf(`turns ${plan.name}`),
      world: new AgentsWorld(chanceOf(`world ${plan.name}`)),
      secrets: [],
      responseCharacters: plan.rules.responseCharacters,
      appended: plan.appended,
    }
    // Two engines share one file, or one memory store.
    this.#engines.push(this.#open(), this.#open())
  }

  readonly addFinding: AddFinding = (rule, detail) => {
    const at = `${this.#plan.name} turn ${this.#expected.turn}`
    this.#findings.push({ rule, detail: `session ${at}: ${detail}` })
  }

  report(): SessionReport {
    return { findings: this.#findings, figures: this.#figures }
  }

  async close(): Promise<void> {
    for (const engine of this.#engines) await engine.close()
    this.#folder.remove()
  }

  async play(turns: number): Promise<void> {
    while (this.#figures.turns < turns && this.#findings.length === 0) {
      await this.#betweenTurns()
      if (this.#findings.length > 0) return
      if (this.#chance.once(12)) await this.#turnsAtOnce()
      else await this.#turn()
      await this.#checkAfterTurn()
    }
    if (this.#findings.length === 0) await this.#atTheEnd()
  }

  get #expected(): Expected {
    return this.#states.at(-1) ?? nothingExpected
  }

  get #first(): SessionEngine {
    return this.#engines[0] ?? this.#open()
  }

  get #file(): string {
    return this.#folder.file('session.db')
  }

  #open(): SessionEngine {
    const { store, rules, windowTokens } = this.#plan
    const shared = { tenant: this.#memory.tenant, close: async () => {} }
    return sessionEngine({
      store: store === 'memory' ? shared : sqlite(this.#file, { durability: 'normal' }),
      ...{ rules, windowTokens, planted: this.#planted, now: () => this.#now },
      model: this.#model?.model ?? null,
    })
  }

  /** Events between turns that must not change the memory. */
  async #betweenTurns(): Promise<void> {
    this.#now += this.#chance.between(1, 20) * 60_000
    const draw = this.#chance.below(40)
    if (draw < 2) await this.#callWithoutAnswer()
    else if (draw < 4) await this.#callWithInvalidInput()
    else if (draw < 6) await this.#retry()
    else if (draw === 6 && this.#plan.store === 'sqlite') await this.#restart()
    else if (draw === 7) await this.#fork()
    else if (draw === 8 && this.#plan.appended > 0) await this.#appendMissedTurns()
  }

  async #turn(): Promise<void> {
    const drawn = randomTurn(this.#generator, this.#figures.turns + 1)
    await this.#append(drawn.messages)
    const engine = this.#chance.pick([this.#first, this.#first, ...this.#engines])
    const asked = this.#model?.asked.length ?? 0
    const crashes = this.#plan.store === 'sqlite' && this.#chance.once(25)
    await this.#commits(async () => {
      const remembering = this.#remember({ drawn, engine })
      const copy = crashes ? await this.#copyMeanwhile() : null
      const outcome = await remembering
      await this.#accept(drawn, outcome, this.#model?.asked.slice(asked) ?? [])
      if (copy !== null) await this.#checkCopy(copy)
    })
  }

  /** Two engines remember two turns at the same time: both are stored, one after the other. */
  async #turnsAtOnce(): Promise<void> {
    const both: TurnCall[] = []
    for (const engine of this.#engines) {
      const drawn = randomTurn(this.#generator, this.#figures.turns + both.length + 1)
      // Only one of them is in the log: messages of both would be taken for a missed turn.
      const isFirst = both.length === 0
      const messages = isFirst ? drawn.messages : []
      await this.#append(messages)
      const userMessage = `${drawn.input.userMessage}${isFirst ? '' : ' at the same time'}`
      const input = { ...drawn.input, userMessage }
      both.push({ drawn: { ...drawn, input, messages, passesHead: false }, engine })
    }
    await this.#commits(async () => {
      const outcomes = await Promise.all(
        both.map(async (passed) => ({ ...passed, outcome: await this.#remember(passed) })),
      )
      const turnOf = ({ record }: AfterReply) => record?.turn ?? 0
      for (const { drawn, outcome } of outcomes.toSorted(
        (one, other) => turnOf(one.outcome) - turnOf(other.outcome),
      ))
        await this.#accept(drawn, outcome, null)
    })
    this.#figures.atOnce += 1
  }

  /** Checks that the work makes one commit for each turn and does not change the log. */
  async #commits(work: () => Promise<void>): Promise<void> {
    const [before, turns] = [await this.#chat().info(), this.#expected.turn]
    await work()
    this.#checkLog(before, await this.#chat().info(), this.#expected.turn - turns)
  }

  async #append(messages: readonly MessageInput[]): Promise<void> {
    if (messages.length === 0) return
    await this.#chat().append(messages)
    this.#log = [...this.#log, ...messages]
  }

  #remember({ drawn, engine }: TurnCall): Promise<AfterReply> {
    return afterReply(engine.chat(this.#id), drawn.input, {
      ...(drawn.key !== null && { key: drawn.key }),
      ...(drawn.passesHead && { head: this.#log.length }),
    })
  }

  /** Copies the file as a crash would leave it now. */
  async #copyMeanwhile(): Promise<string> {
    for (let ticks = this.#chance.below(6); ticks > 0; ticks -= 1)
      await new Promise((resolve) => setImmediate(resolve))
    return crashedCopy(this.#file, this.#folder.file('copy.db'), this.#chance)
  }

  async #checkCopy(file: string): Promise<void> {
    const { rules, windowTokens } = this.#plan
    const store = sqlite(file, { durability: 'normal' })
    const parts = { store, rules, windowTokens, planted: {}, model: null, now: () => this.#now }
    const engine = sessionEngine(parts)
    const chat = engine.chat(this.#id)
    const found = await turnMemory(chat)
    const kept = await rememberedTurns(chat, { limit: found.turn })
    if (!isSame(kept.toReversed(), this.#records.slice(0, found.turn)))
      this.addFinding('crash', `the copy has a state that never existed, at turn ${found.turn}`)
    const state = this.#states[found.turn]
    if (state === undefined)
      this.addFinding('crash', `turn ${found.turn} of ${this.#records.length}`)
    else checkMemory(found, state, { newest: kept[0] ?? null, rules }, this.addFinding)
    await engine.close()
    this.#figures.crashes += 1
  }

  /** Checks a remembered turn and the missed turns before it. */
  async #accept(drawn: RandomTurn, outcome: AfterReply, asked: SeenTurn['asked']): Promise<void> {
    const { input, key, passesHead } = drawn
    const { userMessage } = input
    const from = this.#expected.turns.at(-1)?.messages.to ?? 0
    const head = passesHead ? this.#log.length : null
    const { missed, to } = placeInLog(this.#log, { from, userMessage, head })
    for (const { user, assistant, to: end } of missed) {
      const missedInput = { userMessage: user, finalResponse: assistant }
      await this.#checkTurn({ input: missedInput, key: null, end, at: this.#now }, null, [])
      this.#figures.missed += 1
    }
    if (!outcome.changed)
      this.addFinding('records', `turn ${this.#expected.turn + 1} is not remembered`)
    else await this.#checkTurn({ input, key, end: to, at: this.#now }, outcome, asked)
  }

  async #checkTurn(
    passed: PassedTurn,
    outcome: Changed | null,
    asked: SeenTurn['asked'],
  ): Promise<void> {
    const { rules } = this.#plan
    const expected = expectedAfter(this.#expected, passed, rules)
    const own = expected.turns.at(-1)
    const newest = { before: expected.turn + 1, limit: 1 }
    const [record] = await rememberedTurns(this.#chat(), newest)
    if (own === undefined || record === undefined) {
      this.addFinding('records', `turn ${expected.turn} is missing`)
      return
    }
    const seen: SeenTurn = {
      ...{ rules, expected, own, outcome, record, asked },
      before: this.#records.at(-1) ?? null,
      truthfulTexts: this.#model?.truthfulTexts ?? null,
      secrets: this.#generator.secrets,
    }
    const found = findingsIn((addFinding) => {
      checkRecord(seen, addFinding)
      checkTexts(seen, addFinding)
      checkEntities(seen, addFinding)
    })
    this.#states = [...this.#states, expected]
    this.#records = [...this.#records, record]
    for (const { rule, detail } of found) this.addFinding(rule, detail)
    if (outcome !== null) this.#count(outcome)
  }

  #count({ record, asked, entities }: Changed): void {
    const figures = this.#figures
    figures.turns += 1
    figures.asked += asked.length
    figures.taken += asked.filter(({ by }) => by !== 'rules').length
    figures.folds += record.knows.history.some(({ from, to }) => to - from > 1) ? 1 : 0
    figures.promoted += entities.promoted.length
    figures.removed += entities.removed.length
  }

  /** Checks the memory, a random older turn, and a context of both engines. */
  async #checkAfterTurn(): Promise<void> {
    const { rules } = this.#plan
    const chat = this.#chat()
    const found = await turnMemory(chat)
    checkMemory(
      found,
      this.#expected,
      { newest: this.#records.at(-1) ?? null, rules },
      this.addFinding,
    )
    await this.#checkOldTurn(chat)
    const reader = this.#chance.pick(['condensed', 'full'] as const)
    const asked = {
      ...{ model: chatModel, system: 'You look after a kitchen.', memory: reader },
      next: { role: 'user', content: 'And now?' },
    } as const
    const context = await chat.context(asked)
    const log = [...this.#log, asked.next]
    checkMemoryContext({ context, reader, memory: found, rules, log }, this.addFinding)
    this.#figures.contexts += 1
    if (!this.#chance.once(10)) return
    const other = await (this.#engines[1] ?? this.#first).chat(this.#id).context(asked)
    if (!isSame(other.messages, context.messages))
      this.addFinding('bytes', 'the two engines build different contexts')
  }

  async #checkOldTurn(chat: ConversationHandle): Promise<void> {
    const turn = this.#chance.between(1, Math.max(1, this.#records.length))
    const [record] = await rememberedTurns(chat, { before: turn + 1, limit: 1 })
    if (!isSame(record, this.#records[turn - 1]))
      this.addFinding('records', `turn ${turn} has changed`)
    const all = stepsOf(this.#expected)
    const step = all[this.#chance.below(Math.max(1, all.length))]
    if (step === undefined) return
    const kept = await stepResult(chat, { turn: step.turn, step: step.step })
    if (kept === null) this.addFinding('steps', `${step.turn}.${step.step} is missing`)
    else checkStep(kept, step.given, this.addFinding)
  }

  /** The log must be unchanged, with one commit for each turn. */
  #checkLog(before: Conversation | null, after: Conversation | null, commits: number): void {
    if (after === null) this.addFinding('log', 'there is no conversation')
    if (before === null || after === null) return
    const { head, chain, rewrites, pins } = after
    const same = { head, chain, rewrites, pins }
    if (!isSame({ ...before, ...same }, { ...before }) || head !== this.#log.length)
      this.addFinding(
        'log',
        `was ${before.head} long, is ${head}, and ${this.#log.length} were appended`,
      )
    if (after.version !== before.version + commits)
      this.addFinding('version', `${after.version - before.version} commits for ${commits}`)
  }

  /** Makes a call that must change nothing, and compares its outcome or error code. */
  async #unchanged(
    input: AfterReplyInput,
    options: AfterReplyOptions,
    should: string,
  ): Promise<void> {
    const chat = this.#chat()
    const before = await chat.info()
    const is = await afterReply(chat, input, options).then(
      (outcome) => (outcome.changed ? 'changed' : outcome.why),
      (error: { readonly code?: string }) => error.code,
    )
    if (is !== should) this.addFinding('retry', `${is}, not ${should}: ${JSON.stringify(options)}`)
    if (!isSame(before, await chat.info())) this.addFinding('version', `${should} was committed`)
    this.#figures.unchanged += 1
  }

  async #callWithoutAnswer(): Promise<void> {
    const finalResponse = this.#chance.pick([null, '', ' \n'])
    await this.#unchanged({ userMessage: 'Are you there?', finalResponse }, {}, 'no-response')
  }

  /** Repeats the key of a recent turn, with the same or another text. */
  async #retry(): Promise<void> {
    const known = this.#expected.turns.slice(-20).filter(({ key }) => key !== null)
    const turn = known[this.#chance.below(Math.max(1, known.length))]
    if (turn === undefined || turn.key === null) return
    const { input, key } = turn
    if (this.#chance.once(4))
      await this.#unchanged({ ...input, userMessage: 'Something else.' }, { key }, 'KEY_CONFLICT')
    else await this.#unchanged(input, { key }, 'repeated')
  }

  async #callWithInvalidInput(): Promise<void> {
    const valid = { userMessage: 'a', finalResponse: 'b' }
    const wrong = this.#chance.pick<unknown>([
      { ...valid, entity: [] },
      { ...valid, userMessage: 7 },
      { ...valid, think: { decision: 'go' } },
      { ...valid, entities: [{ id: 1, type: 'a', label: 'b', source: 'guess' }] },
      { ...valid, steps: [{ description: 'a', result: new Map() }] },
    ])
    await this.#unchanged(wrong as AfterReplyInput, {}, 'TURN_INVALID')
  }

  /** Appends turns that are never passed to `afterReply`. */
  async #appendMissedTurns(): Promise<void> {
    const { chance } = this.#generator
    for (let turns = chance.between(1, 3); turns > 0; turns -= 1)
      await this.#append([
        { role: 'user', content: prose(chance, 2) },
        ...(chance.once(4) ? [] : [{ role: 'assistant', content: prose(chance, 2) } as const]),
      ])
  }

  async #restart(): Promise<void> {
    const engine = this.#engines.shift()
    await engine?.close()
    this.#engines.push(this.#open())
    this.#figures.restarts += 1
  }

  /** The session continues in a fork, with the turns whose messages it shares. */
  async #fork(): Promise<void> {
    if (this.#log.length === 0) return
    const at = this.#chance.between(Math.floor(this.#log.length / 2), this.#log.length)
    const id = `${this.#id}.${this.#figures.forks}`
    const forked = await this.#chat().history.fork(at, id)
    if (!forked.ok) {
      this.addFinding('fork', JSON.stringify(forked.failure))
      return
    }
    this.#left.push({ id: this.#id, records: this.#records })
    const shared = this.#records.filter(({ messages }) => messages.to <= at).length
    this.#id = id
    this.#log = this.#log.slice(0, at)
    this.#states = this.#states.slice(0, shared + 1)
    this.#records = this.#records.slice(0, shared)
    this.#figures.forks += 1
    const found = await turnMemory(forked.value)
    const newest = this.#records.at(-1) ?? null
    checkMemory(found, this.#expected, { newest, rules: this.#plan.rules }, (rule, detail) =>
      this.addFinding('fork', `${rule}: ${detail}`),
    )
  }

  /** Checks that all records and steps are unchanged, also in conversations that were left. */
  async #atTheEnd(): Promise<void> {
    const here = { id: this.#id, records: this.#records }
    for (const { id, records } of [...this.#left, here]) {
      const chat = this.#first.chat(id)
      const kept = await rememberedTurns(chat, { limit: records.length + 1 })
      if (!isSame(kept.toReversed(), records)) this.addFinding('records', `of ${id} have changed`)
    }
    for (const { turn, step, given } of stepsOf(this.#expected)) {
      const kept = await stepResult(this.#chat(), { turn, step })
      if (kept === null) this.addFinding('steps', `${turn}.${step} is missing`)
      else checkStep(kept, given, this.addFinding)
    }
    const log = await Array.fromAsync(this.#chat().messages())
    if (log.length !== this.#log.length)
      this.addFinding('log', `${log.length} of ${this.#log.length}`)
  }

  #chat(): ConversationHandle {
    return this.#first.chat(this.#id)
  }
}
