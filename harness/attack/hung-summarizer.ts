/**
 * A summarizer that never answers must not hold up the conversation: at most one request waits for
 * it, and not for long; all others are as fast as without a summarizer. Presets that wait for their
 * summary by design wait until the breaker opens, and then no more.
 */
import { createThroughline, type PolicyName, type Preset, policies } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import type { Attack } from './attack.ts'

export const hungSummarizer: Attack = {
  name: 'hung-summarizer',
  run: async ({ whole }) => {
    const names = whole ? (Object.keys(policies) as PolicyName[]) : sampled
    const results = []
    for (const name of names) results.push(await runPreset(name, whole))
    const findings = results.flatMap((result) => result.findings)
    if (results.every(({ waits }) => waits === 0))
      findings.push('no request ever waited: the talk is too small')
    return { probes: names.length * (whole ? 60 : 20), findings }
  },
}

const sampled: readonly PolicyName[] = ['balanced', 'ratio-chain']
const chatModel = 'toy/chat'

interface PresetResult {
  readonly waits: number
  readonly findings: readonly string[]
}

async function runPreset(name: PolicyName, whole: boolean): Promise<PresetResult> {
  const policy = policyFor(name, whole)
  const { run } = policy
  // Two tries in a row open the breaker for five minutes.
  const most =
    run.mode === 'blocking'
      ? { waits: 2, ms: policy.limits.timeMs }
      : { waits: 1, ms: Math.min(run.waitMs, 2_000) }
  const waited = await waitsOf(policy, whole ? 60 : 20)
  const waits = waited.filter((ms) => ms > addedMs)
  const findings: string[] = []
  const { run: shipped } = policies[name]
  if (shipped.mode === 'background' && shipped.waitMs > 2_000)
    findings.push(`${name}: a request may wait for ${shipped.waitMs} ms`)
  if (waits.length > most.waits)
    findings.push(
      `${name}: ${waits.length} of ${waited.length} requests waited: ${rounded(waits)} ms`,
    )
  if (waits.some((ms) => ms > most.ms + addedMs))
    findings.push(`${name}: a request waited longer than ${most.ms} ms: ${rounded(waits)} ms`)
  return { waits: waits.length, findings }
}

/** Promise 23: what a summarizer that hangs may add to a request. */
const addedMs = 50

/** As it is shipped, but that nobody wants to wait for a minute here. */
function policyFor(name: PolicyName, whole: boolean): Preset {
  const preset = policies[name]
  const { run, limits } = preset
  if (run.mode === 'blocking') return { ...preset, limits: { ...limits, timeMs: 300 } }
  return whole ? preset : { ...preset, run: { ...run, waitMs: 800 } }
}

/**
 * How long each request waits, in ms, in a talk that often does not fit. Only the time counts in
 * which the process has nothing to do: the store is in memory, so that is a wait for the model,
 * however busy the machine is.
 */
async function waitsOf(policy: Preset, turns: number): Promise<readonly number[]> {
  const tl = createThroughline({
    policy,
    models: [{ id: chatModel, contextWindowTokens: 4_000, tokenizer: 'o200k_base' }],
    summarizer: { ...scriptedModel(() => ''), generate: () => new Promise<never>(() => {}) },
  })
  const chat = tl.conversation('c')
  const waits: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    await chat.append({ role: 'user', content: pageOf(turn) })
    const before = performance.eventLoopUtilization()
    await chat.context({ model: chatModel })
    waits.push(performance.eventLoopUtilization(before).idle)
    await chat.append({ role: 'assistant', content: `Page ${turn} is read.` })
  }
  // A job that hangs is aborted when the engine is closed; nobody waits for that here.
  void tl.close()
  return waits
}

/** A quarter of the window: the next page may be too much for a request that is not yet full. */
function pageOf(turn: number): string {
  const sentences = Array.from(
    { length: 50 },
    (_, at) => `On page ${turn} line ${at} is about the harbour and its boats.`,
  )
  return sentences.join(' ')
}

function rounded(times: readonly number[]): string {
  return times.map((ms) => Math.round(ms)).join(', ')
}
