/** Compactions: what each dropped and kept, why, what it cost, and whether requests use it. */
import { useContext, useState } from 'preact/hooks'
import { type CompactionStatus, statusesOf, undoneAt } from '../data/compaction-status.ts'
import { CurrentConversation, type LiveConversation } from '../data/conversation.ts'
import { droppedBy } from '../data/dropped.ts'
import { anchor, count, duration, number, time } from '../data/format.ts'
import { receiptsOf } from '../data/receipts.ts'
import { linkTo } from '../data/route.ts'
import type { Receipt } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { whyCompacted } from '../data/why.ts'
import { MayWrite } from '../parts/action.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Term } from '../parts/term.tsx'
import { CompactNow } from './compact-now.tsx'
import { StatusActions, StatusBadge } from './compaction-status.tsx'
import { History } from './history.tsx'
import { ReceiptDetail } from './receipt.tsx'

export function CompactionsView({ item }: { readonly item: string }) {
  const live = useContext(CurrentConversation)
  const mayWrite = useContext(MayWrite)
  const [isCompacting, setCompacting] = useState(false)
  const id = live?.data.id ?? ''
  const receipts = useLoaded(`receipts ${id}`, (signal) => receiptsOf(id, signal), live?.stamp)
  if (live === null) return null
  const { model, status, versions } = live.data
  const chosen = receipts.value?.find(({ version }) => String(version) === item)
  return (
    <div class="column">
      {model !== null && item === '' && (mayWrite || status.suspended) && (
        <div class="actions">
          {mayWrite && (
            <button type="button" onClick={() => setCompacting(true)}>
              Compact now…
            </button>
          )}
          {status.suspended && (
            <p class="soft">
              Auto-compaction is off for this model since an undo. It is on again after somebody
              compacts, or puts the compaction back.
            </p>
          )}
        </div>
      )}
      {isCompacting && <CompactNow live={live} close={() => setCompacting(false)} />}
      <Shown of={receipts} rows={5}>
        {(all) => {
          if (item !== '' && chosen === undefined) return <NoSuchCompaction id={id} />
          if (all.length === 0)
            return (
              <Empty title="No compaction so far">
                While the conversation fits, the model sees every message. A compaction drops older
                messages from requests and describes them in a <Term name="digest" />; the log keeps
                them all.
              </Empty>
            )
          const statuses = statusesOf(all, versions)
          return chosen === undefined ? (
            <ReceiptList live={live} receipts={all} statuses={statuses} />
          ) : (
            <ReceiptDetail
              live={live}
              receipt={chosen}
              status={statuses.get(chosen.version) ?? 'changed'}
              dropped={droppedBy(chosen, all)}
              undoes={undoneAt(chosen, all, statuses)}
            />
          )
        }}
      </Shown>
      {item === '' && <History live={live} />}
    </div>
  )
}

function NoSuchCompaction({ id }: { readonly id: string }) {
  return (
    <Empty title="There is no record of this compaction">
      <a href={linkTo(id, 'compactions')}>All compactions</a>
    </Empty>
  )
}

interface ReceiptListProps {
  readonly live: LiveConversation
  readonly receipts: readonly Receipt[]
  readonly statuses: ReadonlyMap<number, CompactionStatus>
}

function ReceiptList({ live, receipts, statuses }: ReceiptListProps) {
  return (
    <ol class="cards">
      {receipts.map((receipt) => {
        const { version, at, keeps, stubbed, tokensBefore, tokensAfter } = receipt
        const status = statuses.get(version) ?? 'changed'
        return (
          <li key={version} class={`card is-${status}`}>
            <a class="card-title" href={linkTo(live.data.id, 'compactions', version)}>
              {titleOf(receipt, receipts)}
            </a>
            <StatusBadge status={status} />
            <span class="card-line">
              {tokensBefore === null ? '' : `${number(tokensBefore)} → `}
              <b>{count(tokensAfter, 'token')}</b>
              <Drop before={tokensBefore} after={tokensAfter} />
            </span>
            <span class="card-note soft">
              {[
                `Why: ${whyCompacted(receipt, live.data.status.requests).reason}`,
                ...(keeps.length > 0 ? [`${keeps.length} kept`] : []),
                ...(stubbed > 0 ? [`${stubbed} shortened`] : []),
                costText(receipt),
                time(at),
              ].join(' · ')}
            </span>
            {status !== 'continued' && (
              <StatusActions
                {...{ live, receipt, status }}
                undoes={undoneAt(receipt, receipts, statuses)}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}

function titleOf(receipt: Receipt, receipts: readonly Receipt[]): string {
  const { covered } = receipt
  const dropped = droppedBy(receipt, receipts)
  if (dropped.count === 0) return 'Shortened messages only'
  const older = dropped.noLongerKept.map((seq) => `#${seq}`).slice(0, 3)
  const spans = covered.to === covered.from ? older : [...older, anchor(covered)]
  return `${count(dropped.count, 'message')} dropped, ${spans.join(', ')}`
}

export function costText({ summarization, durationMs }: Receipt): string {
  const attempts = summarization?.attempts.length ?? 0
  if (attempts === 0) return `no model call, ${duration(durationMs)}`
  const { costUsd = null } = summarization ?? {}
  const money = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(4)}`
  return `${count(attempts, 'model call')}, ${money}, ${duration(durationMs)}`
}

function Drop({ before, after }: { readonly before: number | null; readonly after: number }) {
  if (before === null || before === 0) return null
  return (
    <span class="drop" aria-hidden="true">
      <span class="drop-after" style={{ width: `${Math.min(100, (after / before) * 100)}%` }} />
    </span>
  )
}
