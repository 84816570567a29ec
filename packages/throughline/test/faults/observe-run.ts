/**
 * One run: a conversation that grows while models fail until it was compacted twice, goes on
 * while the breaker is open, and goes on when the faults are over. Through the public front and
 * real connections alone.
 */
import { createThroughline, type LiveEvent, type MessageInput, policies } from 'throughline'
import {
  createFaultServer,
  type FaultServer,
  fakeClock,
  type ModelFault,
  truthfulSummary,
} from 'throughline/testing'
import { askedModel } from './asked-model.ts'
import { type GeneratedTurn, generatedTalk } from './generated-talk.ts'
import { breakerAfter, isOpen, type KnownBreaker, newBreaker } from './known-breaker.ts'
import type { Observed, Step } from './observed.ts'
import { apiNames, isHopeless, type PlannedRun } from './planned-run.ts'

const chatModel = { id: 'toy/chat', contextWindowTokens: 4_000 } as const
const mostTurns = 60
const hourMs = 3_600_000
const shortMs = 600
// On a busy machine a sound answer may be later than that, too.
const patientTimes = 8
const slowFaults: readonly ModelFault[] = ['hang', 'hang-after-headers', 'slow']

export async function observeRun(run: PlannedRun): Promise<Observed> {
  const servers: FaultServer[] = []
  try {
    for (let index = 0; index < run.models; index += 1) servers.push(await serverFor(run, index))
    return await observeWith(run, servers)
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

function serverFor(run: PlannedRun, index: number): Promise<FaultServer> {
  const { name, fault, chance, second, hugeBytes, retryAfterMs } = run
  const isSound = index > 0 && second === 'sound'
  return createFaultServer({
    answers: (question) => truthfulSummary(question, { words: 70 }),
    faults: isSound ? undefined : { seed: `${name}:${index}`, chance, among: [fault] },
    tools: 'refused',
    pace: { byteEveryMs: 40, resetAfterMs: 5, retryAfterMs, hugeBytes },
  })
}

async function observeWith(run: PlannedRun, servers: readonly FaultServer[]): Promise<Observed> {
  const { policy } = run
  const clock = fakeClock()
  const steps: Step[] = []
  const appended: MessageInput[] = []
  let live: LiveEvent[] = []
  let breaker: KnownBreaker = newBreaker
  const throughline = createThroughline({
    policy,
    models: [chatModel],
    tokenizer: 'estimate',
    clock,
    summarizer: servers.map((server, index) => modelFor(run, server, index, () => steps.length)),
  })
  throughline.on((event) => live.push(event))
  const chat = throughline.conversation(run.name)
  const talk = generatedTalk(run.name, run.withTools)

  const append = async (messages: readonly MessageInput[]): Promise<void> => {
    appended.push(...messages)
    await chat.append(messages)
  }
  const turn = async (phase: Step['phase'], forced: boolean): Promise<void> => {
    // A border: the talk never ends.
    const { asked, answered } = talk.next().value as GeneratedTurn
    await append([asked])
    if (forced) await chat.compact()
    live = []
    const started = performance.now()
    const context = await chat.context({ model: chatModel.id, system: 'Help with the records.' })
    const tookMs = performance.now() - started
    const at = clock.now()
    const head = appended.length
    steps.push({ number: steps.length, phase, at, head, context, live, tookMs })
    breaker = breakerAfter(breaker, live, at)
    await append(answered)
    clock.set(at + 1_000)
  }
  const compactions = async () => (await chat.receipts({ limit: 3 })).length

  while (steps.length < mostTurns) {
    await turn('faulty', false)
    const isOpened = isOpen(breaker, clock.now())
    if ((await compactions()) >= 2 && (isOpened || !isHopeless(run) || hasSummary(steps))) break
  }
  if (isOpen(breaker, clock.now())) {
    await turn('faulty', true)
    await turn('faulty', true)
  }
  for (const server of servers) server.arm(null)
  const patience = slowFaults.includes(run.fault) ? patientTimes : 2
  for (let time = 0; time < patience; time += 1) {
    clock.set(clock.now() + hourMs + 1)
    await turn('ended', false)
    await turn('ended', true)
    if (steps.some(({ phase, live: told }) => phase === 'ended' && told.some(isFinished))) break
  }
  await throughline.settled()
  const observed: Observed = {
    appended,
    log: await Array.fromAsync(chat.messages()),
    steps,
    summaries: await chat.summaries({ limit: 500 }),
    inForce: await chat.summary({ model: chatModel.id }),
    receipts: await chat.receipts({ limit: 500 }),
    events: await chat.events({ limit: 5_000 }),
    served: servers.map(({ requests }) => requests),
    callsMost: policies[policy].limits.calls,
    retryAfterMs: run.retryAfterMs,
  }
  await throughline.close()
  return observed
}

function modelFor(run: PlannedRun, { url }: FaultServer, index: number, step: () => number) {
  const { api, transfer, fault, bounded, hugeBytes } = run
  const isSlow = slowFaults.includes(fault)
  return askedModel({
    url,
    // The second is of another provider.
    api: apiNames[(apiNames.indexOf(api) + index) % apiNames.length] ?? api,
    transfer,
    timeoutMs: isSlow ? shortMs : 20_000,
    maxBytes: bounded ? Math.floor(hugeBytes / 3) : null,
    step,
  })
}

function isFinished({ kind }: LiveEvent): boolean {
  return kind === 'summarization-finished'
}

function hasSummary(steps: readonly Step[]): boolean {
  return steps.some(({ live }) => live.some(isFinished))
}
