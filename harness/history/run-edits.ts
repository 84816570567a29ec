/** Plays conversations until a given number of messages was edited or removed. */
import type { Context, MessageInput, Store, Throughline } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import {
  checkAfresh,
  checkGone,
  type PlayedLog,
  playedLog,
  servedDerived,
  servedLog,
  tenantIn,
} from './check-rewrite.ts'
import {
  type HistoryPolicy,
  historyEngine,
  historyModels,
  historyPolicies,
} from './history-engine.ts'
import { type CanaryTalk, canaryTalk } from './planted-canaries.ts'
import { rememberedTo, rememberWords } from './wordy-turns.ts'

interface EditRuns {
  readonly seed: number
  /** Edits and removals. */
  readonly runs: number
  readonly planted?: ((store: Store) => Store) | undefined
  /** Ends at the first finding of this rule, or of any. */
  readonly until?: string | undefined
}

interface EditReport {
  readonly findings: readonly Finding[]
  readonly figures: EditFigures
}

export async function runEdits({ seed, runs, planted, until }: EditRuns): Promise<EditReport> {
  const figures: EditFigures = { ...noFigures }
  const findings: Finding[] = []
  for (let number = 0; figures.rewrites < runs; number += 1) {
    const name = `${seed}/${number}`
    const found = await playEdits({ seed: name, planted, figures })
    findings.push(...found.map(({ rule, detail }) => ({ rule, detail: `${name}: ${detail}` })))
    if (found.some(({ rule }) => until === 'any' || rule === until)) break
  }
  return { findings, figures }
}

/** Plays one conversation with its forks in random order, and checks every step. */
const noFigures = {
  rewrites: 0,
  contexts: 0,
  compactions: 0,
  summaries: 0,
  forks: 0,
  turns: 0,
}

type EditFigures = typeof noFigures

interface EditPlay {
  readonly seed: string
  /** A planted bug. */
  readonly planted?: ((store: Store) => Store) | undefined
  readonly figures: EditFigures
}

const steps = 26

async function playEdits(play: EditPlay): Promise<readonly Finding[]> {
  const table = new EditTable(play)
  try {
    return await table.play()
  } finally {
    await table.close()
  }
}

class EditTable {
  readonly #chance: Chance
  readonly #talk: CanaryTalk
  readonly #store: Store
  readonly #policy: HistoryPolicy
  readonly #tl: Throughline
  readonly #logs: PlayedLog[]
  readonly #figures: EditFigures
  #now = 1_700_000_000_000
  #checks = 0

  constructor({ seed, planted = (store) => store, figures }: EditPlay) {
    this.#chance = chanceOf(seed)
    this.#talk = canaryTalk(this.#chance, 'w')
    this.#figures = figures
    this.#store = planted(this.#chance.once(2) ? memory() : sqlite(':memory:'))
    this.#policy = this.#chance.pick(historyPolicies)
    const now = () => (this.#now += 1_000)
    const writes = this.#chance.once(2)
    this.#tl = historyEngine({ store: this.#store, policy: this.#policy, now, writes })
    this.#logs = [playedLog(this.#tl.conversation('c'), null)]
  }

  async play(): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    for (let step = 0; step < steps && findings.length === 0; step += 1) {
      const log = this.#chance.pick(this.#logs as [PlayedLog, ...PlayedLog[]])
      findings.push(...(await this.#step(log, step)))
    }
    return findings
  }

  async close(): Promise<void> {
    await this.#tl.settled()
    await this.#tl.close()
  }

  async #step(log: PlayedLog, step: number): Promise<readonly Finding[]> {
    const kind = step < 6 ? 0 : this.#chance.below(10)
    if (kind < 3) await this.#append(log)
    else if (kind < 5) await this.#look(log)
    else if (kind === 5) await this.#pin(log)
    else if (kind === 6) await this.#fork(log, step)
    else return this.#rewrite(log)
    return []
  }

  async #append(log: PlayedLog): Promise<void> {
    const { chat, expected } = log
    const turn = this.#talk.turn()
    await chat.append(turn.map(({ input }) => input))
    for (const message of turn) expected.push({ message, removed: false })
    // Some turns contain messages of several agents, and the newest may not be remembered yet.
    if (expected.length % 4 > 0) await this.#remember(log)
  }

  async #remember({ chat, expected }: PlayedLog): Promise<void> {
    const tenant = tenantIn(this.#store)
    const from = await rememberedTo(tenant, chat.id)
    const words = expected
      .slice(from)
      .filter(({ removed }) => !removed)
      .map(({ message }) => message.canary)
      .join(' ')
    const messages = { from, to: expected.length }
    await rememberWords(tenant, { id: chat.id, messages, words, key: null })
    this.#figures.turns += 1
  }

  /** One pin at a time: pins are shown whole, and the windows are small. */
  async #pin({ chat, expected }: PlayedLog): Promise<void> {
    for (const seq of (await chat.info())?.pins ?? []) await chat.unpin(seq)
    await chat.pin(this.#chance.below(Math.max(1, expected.length)))
  }

  async #look({ chat }: PlayedLog): Promise<Context> {
    this.#figures.contexts += 1
    if (this.#chance.once(4)) await chat.compactNextRequest()
    const context = await chat.context({ model: this.#chance.pick(historyModels) })
    if (context.decision.kind === 'compact') this.#figures.compactions += 1
    if (this.#chance.once(2)) await this.#tl.settled()
    return context
  }

  async #fork(log: PlayedLog, step: number): Promise<void> {
    if (this.#logs.length > 3) return
    const at = this.#chance.below(log.expected.length + 1)
    const forked = await log.chat.history.fork(at, `fork-${step}`)
    if (!forked.ok) return
    this.#figures.forks += 1
    this.#logs.push(playedLog(forked.value, log, at))
  }

  async #rewrite(log: PlayedLog): Promise<readonly Finding[]> {
    const { chat, expected } = log
    if (expected.length === 0) return []
    const tenant = tenantIn(this.#store)
    await this.#tl.settled()
    this.#figures.summaries += (await chat.summaries({ limit: 9 })).length
    const others = this.#logs.filter((other) => other !== log)
    const before = await Promise.all(others.map((other) => this.#served(other)))
    const { rewrites } = (await chat.info()) ?? {}
    const seq = this.#chance.below(expected.length)
    if (this.#chance.once(2)) await this.#edit(log, seq)
    else await this.#remove(log, seq, seq + 1 + this.#chance.below(3))
    // A removed message is not edited or removed again, because that would change nothing.
    if ((await chat.info())?.rewrites === rewrites) return []
    this.#figures.rewrites += 1
    const after = await Promise.all(others.map((other) => this.#served(other)))
    const touched = others.filter((_, at) => before[at] !== after[at])
    const findings: Finding[] = touched.map(({ chat: other }) => ({
      rule: 'others',
      detail: `"${other.id}" by a rewrite of "${chat.id}"`,
    }))
    findings.push(...(await checkGone(tenant, log, [])))
    if (findings.length > 0) return findings
    // An engine that has seen the old text, or a new one.
    if (this.#chance.once(2)) return checkGone(tenant, log, [await this.#look(log)])
    this.#checks += 1
    const engine = { policy: this.#policy, now: () => this.#now }
    return checkAfresh({ store: this.#store, engine }, log, `toy/never-${this.#checks}`)
  }

  async #served({ chat }: PlayedLog): Promise<string> {
    const tenant = tenantIn(this.#store)
    return `${await servedLog(tenant, chat.id)} ${await servedDerived(tenant, chat.id)}`
  }

  async #edit({ chat, expected, gone }: PlayedLog, seq: number): Promise<void> {
    const old = expected[seq]
    if (old === undefined) return
    const message = this.#talk.instead(old.message.input as MessageInput)
    const outcome = await chat.history.edit(seq, message.input)
    if (outcome.ok === old.removed) throw new Error(`an edit of "${chat.id}" at ${seq}`)
    if (!outcome.ok) return
    gone.add(old.message.canary)
    expected[seq] = { message, removed: false }
  }

  async #remove({ chat, expected, gone }: PlayedLog, from: number, to: number): Promise<void> {
    await chat.history.remove({ from, to })
    for (const [seq, { message }] of expected.entries()) {
      if (seq < from || seq >= to) continue
      gone.add(message.canary)
      expected[seq] = { message, removed: true }
    }
  }
}
