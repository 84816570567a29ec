/**
 * A summarizer that never answers must not delay the conversation: at most one request waits, and
 * only briefly; all others are as fast as without a summarizer. Presets that wait for their summary
 * by design wait until the breaker opens, and then no longer.
 */
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createThroughline, type PolicyName, type Preset, policies } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import type { Attack } from './attack.ts'

export const hungSummarizer: Attack = {
  name: 'hung-summarizer',
  run: async ({ whole }) => {
    const turns = whole ? 60 : 20
    const names = whole ? (Object.keys(policies) as PolicyName[]) : sampled
    const results = []
    for (const name of names) results.push(await runPreset(name, turns))
    const findings = results.flatMap((result) => result.findings)
    if (results.every(({ waits }) => waits === 0))
      findings.push('no request waited: the talk is too small')
    return { probes: names.length * turns, findings }
  },
}

const sampled: readonly PolicyName[] = ['balanced', 'ratio-chain']
const chatModel = 'toy/chat'

interface PresetResult {
  readonly waits: number
  readonly findings: readonly string[]
}

async function runPreset(name: PolicyName, turns: number): Promise<PresetResult> {
  const policy = policies[name]
  const { run } = policy
  // Two tries in a row open the breaker for five minutes.
  const most =
    run.mode === 'blocking'
      ? { waits: 2, ms: policy.limits.timeMs }
      : { waits: 1, ms: Math.min(run.waitMs, 2_000) }
  const waited = await waitsOf(policy, turns)
  const waits = waited.filter((ms) => ms > addedMs)
  const findings: string[] = []
  if (run.mode === 'background' && run.waitMs > 2_000)
    findings.push(`${name}: a request may wait for ${run.waitMs} ms`)
  if (waits.length > most.waits)
    findings.push(
      `${name}: ${waits.length} of ${waited.length} requests waited: ${waits.join(', ')} ms`,
    )
  if (waits.some((ms) => ms > most.ms + addedMs))
    findings.push(`${name}: a request waited longer than ${most.ms} ms: ${waits.join(', ')} ms`)
  return { waits: waits.length, findings }
}

/** Promise 23: how much a hung summarizer may add to a request. */
const addedMs = 50

/**
 * How long each request waits, in ms, in a talk that often exceeds the window. Fake time stops while
 * the process works, and jumps ahead when the process only waits.
 */
async function waitsOf(policy: Preset, turns: number): Promise<readonly number[]> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_000_000 })
  try {
    const tl = createThroughline({
      policy,
      models: [{ id: chatModel, contextWindowTokens: 4_000, tokenizer: 'o200k_base' }],
      summarizer: { ...scriptedModel(() => ''), generate: () => new Promise<never>(() => {}) },
    })
    const chat = tl.conversation('c')
    const waits: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      await chat.append({ role: 'user', content: pageOf(turn) })
      waits.push(await passedUntil(chat.context({ model: chatModel })))
      await chat.append({ role: 'assistant', content: `Page ${turn} is read.` })
    }
    // Closing the engine aborts a hung job; this test does not wait for that.
    void tl.close()
    return waits
  } finally {
    mock.timers.reset()
  }
}

const stepMs = 40
// After this many turns of the event loop, work that needs no timer is done.
const idleTurns = 3

async function passedUntil(work: Promise<unknown>): Promise<number> {
  const startedAt = Date.now()
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    for (let turn = 0; turn < idleTurns && !isDone; turn += 1) await setImmediate()
    if (!isDone) mock.timers.tick(stepMs)
  }
  await done
  return Date.now() - startedAt
}

/** A quarter of the window: the next page may be too much for a request that is not full yet. */
function pageOf(turn: number): string {
  const sentences = Array.from(
    { length: 50 },
    (_, at) => `On page ${turn} line ${at} is about the harbour and its boats.`,
  )
  return sentences.join(' ')
}
