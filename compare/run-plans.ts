/** Runs plans, each in a process of its own, with a limit of time and of memory. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildPlan, Plan, Run } from './plan.ts'

const memoryMegabytes = 1_800

/** Peers must not report to their makers, and need no key. */
const environment = {
  MEM0_TELEMETRY: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
  LANGCHAIN_TRACING_V2: 'false',
  OPENAI_API_KEY: 'test-key',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
}

export interface Step {
  readonly method: string
  readonly plan: Plan
}

/** The plan, and with a time plan also a cold start on what it stored. */
export async function runStep({ method, plan }: Step, limitMs: number): Promise<readonly Run[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'throughline-compare-'))
  try {
    const first = await runChild({ method, plan, folder: scratch }, limitMs)
    if (plan.part !== 'times' || first.outcome === null) return [first]
    const cold: Plan = { part: 'cold', messages: plan.messages }
    return [first, await runChild({ method, plan: cold, folder: scratch }, limitMs)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function runChild(child: Omit<ChildPlan, 'outcome'>, limitMs: number): Promise<Run> {
  const { method, plan, folder } = child
  const outcome = join(folder, `outcome-${plan.part}.json`)
  const words = [
    ...['--conditions=throughline-source', `--max-old-space-size=${memoryMegabytes}`],
    ...[join(import.meta.dirname, 'child.ts'), JSON.stringify({ ...child, outcome })],
  ]
  const started = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  started.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-2_000)
  })
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => {
    started.on('close', (_, killedBy) => resolve(killedBy))
  })
  if (existsSync(outcome))
    return {
      method,
      plan,
      outcome: JSON.parse(readFileSync(outcome, 'utf8')),
      stopped: null,
      reason: '',
    }
  const tooSlow = signal === 'SIGKILL'
  const reason = tooSlow
    ? `longer than ${limitMs / 1000} s`
    : (/^.*Error.*$/m.exec(errors)?.[0] ?? errors.slice(-300))
  return { method, plan, outcome: null, stopped: tooSlow ? 'too slow' : 'failed', reason }
}
