/**
 * A session of a real coding agent, unchanged, through the gateway: commands, sub-agents at once, MCP tools, images,
 * another model, an interruption, a compaction of its own, and a new process for each turn.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Figures, Finding } from '../kernel/finding.ts'
import { checkSession } from './checks.ts'
import { compactThread } from './codex-server.ts'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'
import { installed } from './install.ts'
import type { Model } from './play.ts'
import { inputPrice } from './price.ts'
import { type Ran, runProgram } from './run-program.ts'
import { type StartedSession, startSession } from './started-session.ts'

export interface ClientReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures
  /** Why the client could not be tried; null if it was. */
  readonly skipped: string | null
}

export interface SessionOptions {
  readonly client: CodingAgentName
  /** To models, at the least. */
  readonly requests: number
  /** A folder for what was sent; it holds the vendors' prompts. */
  readonly keep: string | null
  /** The window of an upstream that it calls without the gateway; null with it. */
  readonly aloneWithin: number | null
  /** Whether it is asked to compact. */
  readonly compacts: boolean
  /** Called after each turn. */
  readonly print?: (line: string) => void
}

const turnTimeoutMs = 600_000
const stepsPerTurn = 16

export async function runClientSession(options: SessionOptions): Promise<ClientReport> {
  const agent = codingAgents[options.client]
  const found = await installed(agent.package)
  if (found.kind === 'missing') return { findings: [], figures: {}, skipped: found.why }
  const session = await startSession(agent, options.aloneWithin)
  try {
    const turns = await talk(options, found.program, session)
    const checked = await checkSession(options.client, session, turns)
    const { calls } = session.upstream
    const { weighted, ...price } = await inputPrice(calls)
    const figures = weighted === 0 ? {} : { ...price, 'tokens at full price': weighted }
    return { ...checked, figures: { ...checked.figures, ...figures }, skipped: null }
  } finally {
    if (options.keep !== null) keepCalls(options.keep, session)
    await session.stop()
  }
}

function keepCalls(folder: string, { tap, upstream, model }: StartedSession): void {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, lines: readonly object[]) =>
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const readable = <Kept extends { readonly body: Buffer }>(call: Kept) => ({
    ...call,
    body: call.body.toString(),
  })
  write('client.jsonl', tap.calls.map(readable))
  write(
    'upstream.jsonl',
    upstream.calls.map((call) => ({
      ...{ ...readable(call), answer: call.answer.toString() },
      scripted: model.answers.get(call.number ?? -1) ?? null,
    })),
  )
}

/** What a turn was for, and whether the client did it. */
export interface TurnDone {
  readonly play: string
  readonly prompt: string
  readonly steps: string
  readonly status: number | null
  readonly isInterrupted: boolean
  readonly output: string
}

type DoneField = 'prompt' | 'steps' | 'isInterrupted'

async function talk(
  { client, requests, print, compacts }: SessionOptions,
  program: string,
  started: StartedSession,
): Promise<readonly TurnDone[]> {
  const agent = codingAgents[client]
  const { place, upstream, tap } = started
  let session: string = randomUUID()
  const turns: TurnDone[] = []
  const where = { program, home: place.home, cwd: place.work, timeoutMs: turnTimeoutMs }
  const turn = async (prompt: string, steps: string, isInterrupted = false) => {
    const [first, second] = agent.models
    const isLate = upstream.calls.length > requests / 2
    const model = isLate ? second : first
    const { words, environment } = agent
    const before = upstream.calls.length
    const began = performance.now()
    const ran = await runProgram({
      ...where,
      words: words({ prompt, isFirst: turns.length === 0, session, model }, place),
      env: environment(place),
      ...(isInterrupted && {
        interruptAfter: slowAnswerBegan(started.model, started.model.slowAt),
      }),
    })
    if (turns.length === 0) session = agent.session?.exec(ran.stdout)?.[1] ?? session
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    print?.(
      `${client} turn ${turns.length}: ${steps}, ${upstream.calls.length - before} calls of models, ${tap.calls.length} in all, status ${ran.status}, ${seconds} s`,
    )
    ended(ran, { prompt, steps, isInterrupted })
  }
  const ended = ({ status, stdout, stderr }: Ran, done: Pick<TurnDone, DoneField>) =>
    turns.push({ ...done, play: String(turns.length), status, output: stdout + stderr })
  const compactOnServer = async () => {
    const ran = await compactThread(session, { ...where, env: agent.environment(place) })
    print?.(`${client} turn ${turns.length}: compacts, status ${ran.status}`)
    ended(ran, { prompt: '', steps: 'compacts', isInterrupted: false })
  }
  const play = (steps: string, isInterrupted = false) =>
    turn(`Please go on with the work. [[play ${turns.length}: ${steps}]]`, steps, isInterrupted)
  const has = (step: 'agents' | 'mcp' | 'image') => agent.steps.includes(step)
  await play('shell*3')
  if (has('image')) await play('image shell')
  if (has('mcp')) await play('mcp shell mcp')
  await play('shells*3 shell')
  if (has('agents')) await play('shell agents*3 shell')
  await play('slow', true)
  await play('shell*2')
  if (agent.counts !== null) await turn(agent.counts, 'counts')
  const half = Math.floor(requests / 2)
  const asked = () => upstream.calls.filter(({ api }) => api !== null).length
  while (asked() < half) await play(`shell*${Math.min(stepsPerTurn, half - asked())}`)
  if (compacts && agent.compacts === 'by-prompt') await turn('/compact', 'compacts')
  if (compacts && agent.compacts === 'by-app-server') await compactOnServer()
  await play('shell*3')
  if (has('agents')) await play('agents*2')
  while (asked() < requests) await play(`shell*${Math.min(stepsPerTurn, requests - asked())}`)
  return turns
}

const polledMs = 50

/** Resolves a moment after the model has started the slow answer. */
async function slowAnswerBegan(model: Model, before: number): Promise<void> {
  while (model.slowAt === before) await setTimeout(polledMs, null, { ref: false })
  await setTimeout(1500)
}
