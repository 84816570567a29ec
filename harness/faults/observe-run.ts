/**
 * One run: a conversation that grows while models fail until it was compacted twice, goes on
 * while the breaker is open, and goes on when the faults are over. Through the public front and
 * real connections alone.
 */

import { truthfulSummary } from 'throughline/testing'
import { createFaultServer, type FaultServer, type ModelQuestion } from '../fault-server.ts'
import type { Observed, Step } from './observed.ts'
import { isHopeless, isSlow, type PlannedRun } from './planned-run.ts'
import { watchedChat } from './watched-chat.ts'

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
    answers: (question) => truthfulSummary(question, { words: wordsFor(question) }),
    faults: isSound ? undefined : { seed: `${name}:${index}`, chance, among: [fault] },
    tools: 'refused',
    pace: { byteEveryMs: 40, resetAfterMs: 5, retryAfterMs, hugeBytes },
  })
}

/** A word may be a hash, which has as many tokens as ten of the others. */
function wordsFor({ maxOutputTokens }: ModelQuestion): number {
  return Math.min(60, Math.floor((maxOutputTokens ?? 500) / 10))
}

const mostTurns = 60
const hourMs = 3_600_000
// On a busy machine a sound answer may be too late for a short timeout as well.
const patientTimes = 8

async function observeWith(run: PlannedRun, servers: readonly FaultServer[]): Promise<Observed> {
  const chat = watchedChat(run, servers)
  while (chat.steps.length < mostTurns) {
    await chat.turn('faulty', false)
    const isDone = chat.isOpen() || !isHopeless(run) || chat.steps.some(hasSummary)
    if (isDone && (await chat.compactions()) >= 2) break
  }
  if (chat.isOpen()) {
    await chat.turn('faulty', true)
    await chat.turn('faulty', true)
  }
  for (const server of servers) server.arm(null)
  for (let time = 0; time < (isSlow(run) ? patientTimes : 2); time += 1) {
    chat.pass(hourMs + 1)
    await chat.turn('ended', false)
    await chat.turn('ended', true)
    if (chat.steps.some((step) => step.phase === 'ended' && hasSummary(step))) break
  }
  return chat.observed()
}

function hasSummary({ live }: Step): boolean {
  return live.some(({ kind }) => kind === 'summarization-finished')
}
