/** Mistakes of an engine, planted into the record of a healthy run: one per promise. */
import type { Context, LiveEvent, SummaryRecord } from 'throughline'
import type { ServedRequest } from '../fault-server.ts'
import type { PlantedBug } from '../kernel/planted.ts'
import { stepsWhile, stepsWhileOpen } from './check-breaker.ts'
import { observeRun, stepHeader } from './observe-run.ts'
import type { FaultRule, Observed, Step } from './observed.ts'
import { type PlannedRun, plannedRun } from './planned-run.ts'
import { checkObserved } from './tally.ts'

interface PlantedMistake {
  readonly bug: string
  readonly rule: FaultRule
  /** Expected in the text of the finding. */
  readonly says: string
  readonly plant: (observed: Observed) => Observed
}

const mistakes: readonly PlantedMistake[] = [
  {
    bug: 'a lost message',
    rule: 'log',
    says: 'but the log has',
    plant: (observed) => ({ ...observed, log: observed.log.toSpliced(3, 1) }),
  },
  {
    bug: 'a changed message',
    rule: 'log',
    says: 'differs from the appended message',
    plant: (observed) => ({
      ...observed,
      log: observed.log.map((message) =>
        message.seq === 2 ? { ...message, parts: textParts('Something else.') } : message,
      ),
    }),
  },
  {
    bug: 'a made-up value in a context',
    rule: 'words',
    says: 'made-up value',
    plant: (observed) => {
      const value = observed.served.flat().flatMap(({ invented }) => invented)[0] ?? 'none'
      return withLastContext(observed, (context) => withText(context, `It is in ${value}.`))
    },
  },
  {
    bug: 'a refusal in a context',
    rule: 'words',
    says: 'text of a failure',
    plant: (observed) =>
      withLastContext(observed, (context) => withText(context, "I can't assist with that.")),
  },
  {
    bug: 'the instructions in a summary',
    rule: 'words',
    says: 'text of a failure',
    plant: (observed) => {
      const { system } = firstOf(observed.served.flat()).question ?? { system: '' }
      return withFirstSummary(observed, (record) => ({ ...record, keyPoints: system.split('\n') }))
    },
  },
  {
    bug: 'a summary that is in no answer',
    rule: 'source',
    says: 'no valid answer',
    plant: (observed) =>
      withFirstSummary(observed, (record) => ({ ...record, text: 'The team met on Friday.' })),
  },
  {
    bug: 'a summary from a failed answer',
    rule: 'source',
    says: 'no valid answer',
    plant: (observed) => ({
      ...observed,
      served: observed.served.map((requests) =>
        requests.map((request) => ({ ...request, fault: request.fault ?? 'error-text' })),
      ),
    }),
  },
  {
    bug: 'a third try',
    rule: 'tries',
    says: 'the same question 3 times',
    plant: (observed) => withMoreRequests(observed, (first) => [first, first]),
  },
  {
    bug: 'a retry without a pause',
    rule: 'tries',
    says: 'retried after 0 ms',
    plant: (observed) => withMoreRequests(observed, (first) => [first]),
  },
  {
    bug: 'more calls than the policy allows',
    rule: 'tries',
    says: 'are allowed',
    plant: (observed) =>
      withMoreRequests(observed, (first) =>
        [1, 2, 3].map((number) => ({ ...first, body: { number } })),
      ),
  },
  {
    bug: 'a request without an attempt',
    rule: 'tries',
    says: 'for 1 attempts',
    plant: (observed) => withMoreRequests(observed, (first) => [first]),
  },
  {
    bug: 'an attempt without an end',
    rule: 'ends',
    says: 'never ends',
    plant: (observed) => withoutLive(observed, 'model-attempt-ended'),
  },
  {
    bug: 'a summary without an end',
    rule: 'ends',
    says: 'never ends',
    plant: (observed) => withoutLive(observed, 'summarization-finished'),
  },
  {
    bug: 'an end too many',
    rule: 'ends',
    says: 'ends without a start',
    plant: (observed) => ({
      ...observed,
      steps: observed.steps.map((step) => ({
        ...step,
        live: step.live.flatMap<LiveEvent>((event) =>
          event.kind === 'summarization-failed' ? [event, event] : [event],
        ),
      })),
    }),
  },
  {
    bug: 'a failure that is missing from the events',
    rule: 'ends',
    says: 'are in the events',
    plant: (observed) => ({
      ...observed,
      events: observed.events.filter(({ kind }) => kind !== 'summary-failed'),
    }),
  },
  {
    bug: 'a context over its budget',
    rule: 'context',
    says: 'tokens',
    plant: (observed) =>
      withLastContext(observed, (context) => ({ ...context, tokens: context.available + 1 })),
  },
  {
    bug: 'an omission that is not listed',
    rule: 'context',
    says: 'nothing lists it',
    plant: (observed) => withLastContext(observed, (context) => ({ ...context, omitted: [] })),
  },
  {
    bug: 'a message that is neither shown nor listed',
    rule: 'context',
    says: 'nothing lists it',
    plant: (observed) =>
      withLastContext(observed, (context) => ({
        ...context,
        messages: context.messages.slice(0, -1),
      })),
  },
  {
    bug: 'omitted messages that nothing describes',
    rule: 'context',
    says: 'nothing describes the omitted messages',
    plant: (observed) =>
      withLastContext(observed, (context) => ({
        ...context,
        sections: context.sections.filter(({ kind }) => kind !== 'summary' && kind !== 'ledger'),
      })),
  },
  {
    bug: 'a request while the breaker is open',
    rule: 'breaker',
    says: 'while it is open',
    plant: (observed) => {
      const number = String(firstOf(stepsWhileOpen(observed)).number)
      return withMoreRequests(observed, (first) => [
        { ...first, headers: { [stepHeader]: number } },
      ])
    },
  },
  {
    bug: 'a second call through a half-open breaker',
    rule: 'breaker',
    says: 'half open',
    plant: (observed) => {
      const halfOpen = stepsWhile(observed, 'half-open')
      const steps = observed.steps.map((step) =>
        halfOpen.includes(step) ? { ...step, live: step.live.flatMap(twiceRefused) } : step,
      )
      return { ...observed, steps }
    },
  },
  {
    bug: 'a breaker that never closes again',
    rule: 'recovery',
    says: 'no summary was written',
    plant: (observed) => ({ ...observed, summaries: [] }),
  },
  {
    bug: 'a request that a provider refuses',
    rule: 'strict',
    says: 'refuses',
    plant: (observed) =>
      withMoreRequests(observed, (first) => [{ ...first, problems: ['max_tokens is too small'] }]),
  },
  {
    bug: 'a run that compacts too little',
    rule: 'run',
    says: 'compacted 1 times',
    plant: (observed) => ({ ...observed, receipts: observed.receipts.slice(0, 1) }),
  },
]

/** A model that always lies: every answer is refused, and the breaker opens. */
const healthyRun: PlannedRun = {
  ...plannedRun('lies', 1, 1),
  ...{ models: 1, chance: 1, policy: 'balanced' },
}

let observing: Promise<Observed> | null = null

/** Observed once, for all mistakes. */
export function observedHealthy(): Promise<Observed> {
  observing ??= observeRun(healthyRun)
  return observing
}

export const planted: readonly PlantedBug[] = mistakes.map(({ bug, rule, says, plant }) => ({
  ...{ bug, rule, says },
  find: async () => checkObserved(plant(await observedHealthy())),
}))

function firstOf<Value>(values: readonly Value[]): Value {
  const [first] = values
  if (first === undefined) throw new Error('the healthy run has nothing to plant this into')
  return first
}

function twiceRefused(event: LiveEvent): readonly LiveEvent[] {
  if (event.kind !== 'model-attempt-ended') return [event]
  const outcome = { kind: 'refused', reasons: ['empty'], excerpt: '' } as const
  const refused = { ...event, attempt: { ...event.attempt, outcome } }
  return [refused, refused]
}

function textParts(text: string) {
  return [{ type: 'text', text, metadata: null }] as const
}

function withText(context: Context, text: string): Context {
  const message = {
    role: 'user',
    author: null,
    parts: textParts(text),
    meta: null,
    seq: null,
  } as const
  return { ...context, messages: [...context.messages, { ...message, slot: 'summary' }] }
}

function withLastContext(observed: Observed, change: (context: Context) => Context): Observed {
  const last = observed.steps.length - 1
  return {
    ...observed,
    steps: observed.steps.map((step, index) =>
      index === last ? { ...step, context: change(step.context) } : step,
    ),
  }
}

function withFirstSummary(
  observed: Observed,
  change: (record: SummaryRecord) => SummaryRecord,
): Observed {
  const first = firstOf(observed.summaries)
  return { ...observed, summaries: [change(first), ...observed.summaries.slice(1)] }
}

/** At the server that received the first request, copied from that request. */
function withMoreRequests(
  observed: Observed,
  more: (first: ServedRequest) => readonly ServedRequest[],
): Observed {
  const [requests = [], ...others] = observed.served
  return { ...observed, served: [[...requests, ...more(firstOf(requests))], ...others] }
}

function withoutLive(observed: Observed, kind: LiveEvent['kind']): Observed {
  const steps = observed.steps.map(
    (step): Step => ({ ...step, live: step.live.filter((event) => event.kind !== kind) }),
  )
  return { ...observed, steps }
}
