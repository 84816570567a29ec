/** How full the window is: of the last request, or of the next one where an undo or a compaction came after it. */
import { useContext } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { percent, short } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { Preview, RebuiltRequest, RequestUse } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { MayWrite } from '../parts/action.tsx'
import { Gauge } from '../parts/gauge.tsx'

export function WindowUse({ live }: { readonly live: LiveConversation }) {
  const { id, status, model, modelName, versions, conversation } = live.data
  const mayWrite = useContext(MayWrite)
  const last = status.requests.find((each) => each.model === model) ?? null
  const current = versions.find((each) => each.current && each.model === model)
  const isChanged = last !== null && current !== undefined && current.epoch !== last.epoch
  const next = useLoaded(
    `next ${id} ${model} ${isChanged && mayWrite}`,
    async (signal) =>
      isChanged && mayWrite ? nextUse(id, modelName ?? last.model, last.fingerprint, signal) : null,
    `${conversation.version} ${conversation.head} ${last?.fingerprint}`,
  )
  if (last === null) return null
  const { utilization, availableTokens } = last
  if (next.value !== null) return <NextUse next={next.value} last={last} />
  return (
    <span class="window-fact">
      <Gauge ratio={utilization} />
      <a class="plain-link" href={linkTo(id, 'requests', last.fingerprint)}>
        {`last request: ${percent(utilization)} of ${short(availableTokens)} tokens`}
      </a>
      {isChanged && <span>(what the model sees was changed since)</span>}
    </span>
  )
}

interface NextProps {
  readonly next: Measured
  readonly last: RequestUse
}

function NextUse({ next, last }: NextProps) {
  const { tokens, availableTokens, compacts } = next
  const ratio = tokens / availableTokens
  return (
    <span class="window-fact">
      <Gauge ratio={ratio} />
      {`next request: ${percent(ratio)} of ${short(availableTokens)} tokens${compacts ? ', so it will be compacted' : ''} (the last one: ${percent(last.utilization)})`}
    </span>
  )
}

interface Measured {
  readonly tokens: number
  readonly availableTokens: number
  readonly compacts: boolean
}

/** A dry run measures it, with the system prompt and tools of the last request. */
async function nextUse(
  id: string,
  model: string,
  fingerprint: string,
  signal: AbortSignal,
): Promise<Measured | null> {
  const { system, tools } = await call<RebuiltRequest>(pathOf(id, 'requests', fingerprint), {
    signal,
  })
  const { decision, receipt } = await call<Preview>(pathOf(id, 'compactions', 'preview'), {
    method: 'POST',
    body: { model, ...(system !== null && { system }), ...(tools !== null && { tools }) },
    signal,
  })
  const { tokens: measured, availableTokens } = decision.figures
  // What would be built anew is measured only when it is built.
  if (decision.kind === 'renew') return null
  const tokens = measured ?? receipt?.tokensBefore ?? null
  const compacts = decision.kind === 'compact' && !decision.shadow
  return tokens === null ? null : { tokens, availableTokens, compacts }
}
