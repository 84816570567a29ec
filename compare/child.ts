/** One method and one part of the comparison, in a process of its own. */
import { writeFileSync } from 'node:fs'
import { methodNamed } from './methods.ts'
import type { ChildPlan, Outcome } from './plan.ts'
import { runReplay } from './replay/run-replay.ts'
import { timeColdStart, timeTurns } from './times.ts'

const { method, plan, folder, outcome } = JSON.parse(process.argv[2] ?? '') as ChildPlan
writeFileSync(outcome, JSON.stringify(await run()))
// Peers leave timers and connections open.
process.exit(0)

async function run(): Promise<Outcome> {
  const open = await methodNamed(method).load()
  if (plan.part === 'times')
    return { kind: 'times', times: await timeTurns(open, folder, plan.messages, plan.turns) }
  if (plan.part === 'cold')
    return { kind: 'cold', firstRequestMs: await timeColdStart(open, folder) }
  return runReplay(plan, open, folder)
}
