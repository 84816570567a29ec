/** How full the window is: of the last request, or of the next one where an undo or a compaction came after it. */
import { useContext } from 'preact/hooks'
import type { LiveConversation } from '../data/conversation.ts'
import { percent, short } from '../data/format.ts'
import { measureNext, type NextRequest } from '../data/next-request.ts'
import { linkTo } from '../data/route.ts'
import type { RequestUse } from '../data/types.ts'
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
      isChanged && mayWrite
        ? measureNext(id, modelName ?? last.model, last.fingerprint, signal)
        : null,
    `${conversation.version} ${conversation.head} ${last?.fingerprint}`,
  )
  const badge = status.suspended && (
    <span class="badge warn">
      {next.value?.compacts === true
        ? 'auto-compaction off since an undo, except for a request that does not fit'
        : 'auto-compaction off since an undo'}
    </span>
  )
  if (last === null) return badge
  const { utilization, availableTokens } = last
  if (next.value !== null)
    return (
      <>
        <NextUse next={next.value} last={last} />
        {badge}
      </>
    )
  return (
    <>
      <span class="window-fact">
        <Gauge ratio={utilization} />
        <a class="plain-link" href={linkTo(id, 'requests', last.fingerprint)}>
          {`last request: ${percent(utilization)} of ${short(availableTokens)} tokens`}
        </a>
        {isChanged && <span>(what the model sees was changed since)</span>}
      </span>
      {badge}
    </>
  )
}

interface NextProps {
  readonly next: NextRequest
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
