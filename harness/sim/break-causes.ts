/** Checks the cause of each prefix break: only something that happened may be named. */
import { isDeepStrictEqual } from 'node:util'
import type { BreakCause, Context, ContextInput, PolicyInput } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import type { ExpectedLog } from './expected.ts'
import { chatModels } from './sim-engine.ts'

export interface AskedBefore {
  readonly policy: PolicyInput
  readonly input: ContextInput
}

export function happened(log: ExpectedLog, cause: BreakCause): void {
  for (const { id } of chatModels) {
    const causes = log.causes.get(id) ?? new Set<BreakCause>()
    causes.add(cause)
    log.causes.set(id, causes)
  }
}

/** Decisions of the engine that need no outside cause. */
const always: readonly BreakCause[] = ['trigger', 'overflow', 'refill', 'digested']

export function checkCause(
  log: ExpectedLog,
  {
    context,
    policy,
    input,
    alone,
  }: {
    readonly context: Context
    readonly policy: PolicyInput
    readonly input: ContextInput
    readonly alone: boolean
  },
): readonly Finding[] {
  const { brokenBy, model } = context
  const before = log.asked.get(model)
  // Of several simultaneous requests, the previous one is unknown.
  if (alone) log.asked.set(model, { policy, input })
  else log.asked.delete(model)
  if (brokenBy === null) return []
  if (brokenBy === 'trigger' && (log.mode === 'off' || log.mode === 'shadow'))
    return [{ rule: 'cause', detail: `a trigger, although compaction is ${log.mode}` }]
  const may = [...always, ...(log.causes.get(model) ?? [])]
  // A request whose answer was lost may have had other inputs.
  if (!alone || before === undefined || log.unanswered.has(model) || may.includes(brokenBy))
    return []
  const differs = (field: keyof ContextInput) =>
    !isDeepStrictEqual(before.input[field], input[field])
  // Another policy has other slots, and may render turns instead of messages.
  const otherPolicy = !isDeepStrictEqual(before.policy, policy)
  const changed: Partial<Record<BreakCause, boolean>> = {
    'policy-changed': otherPolicy,
    remembered: otherPolicy,
    'memory-changed': otherPolicy,
    // If the assistant turns out to have spoken first, an opening is added before it.
    'history-changed': context.repairs.some(({ kind }) => kind === 'opening-added'),
    'system-changed': differs('system'),
    'profile-changed': differs('profile'),
    'retrieved-changed': differs('retrieved'),
    'tools-changed': differs('tools'),
    'next-changed': differs('next') || before.input.next !== undefined,
    // An open call is rendered differently as soon as a message follows it.
    'result-arrived': JSON.stringify(log.messages.map((each) => each.input)).includes(
      '"tool-call"',
    ),
  }
  return changed[brokenBy] === true
    ? []
    : [{ rule: 'cause', detail: `broken by ${brokenBy}, which has not happened` }]
}

/** After a request without concurrent ones, all earlier causes are used up. */
export function settleCauses(log: ExpectedLog, model: string): void {
  log.causes.delete(model)
  log.unanswered.delete(model)
}
