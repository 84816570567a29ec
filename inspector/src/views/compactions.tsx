/** Compactions: what each dropped and kept, why, what it cost, and how to take it back. */
import { useContext, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation, type LiveConversation } from '../data/conversation.ts'
import { anchor, count, duration, short, time, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { Page, Receipt, ViewVersion } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { reasonText } from '../data/words.ts'
import { Action, MayWrite } from '../parts/action.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Wide } from '../parts/wide.tsx'
import { CompactNow } from './compact-now.tsx'
import { droppedIn } from './drop-list.tsx'
import { ReceiptDetail } from './receipt.tsx'

export function CompactionsView({ item }: { readonly item: string }) {
  const live = useContext(CurrentConversation)
  const mayWrite = useContext(MayWrite)
  const [dialog, setDialog] = useState<'compact' | 'undo' | null>(null)
  const id = live?.data.id ?? ''
  const receipts = useLoaded(
    `receipts ${id}`,
    async (signal) =>
      (await call<Page<Receipt>>(pathOf(id, 'compactions'), { query: { limit: 200 }, signal }))
        .items,
    live?.stamp,
  )
  if (live === null) return null
  const { model, status } = live.data
  const chosen = receipts.value?.find(({ version }) => String(version) === item)
  return (
    <div class="column">
      {mayWrite && model !== null && chosen === undefined && (
        <div class="actions">
          <button type="button" onClick={() => setDialog('compact')}>
            Compact now…
          </button>
          <button type="button" onClick={() => setDialog('undo')}>
            Undo the last compaction…
          </button>
          {status.suspended && (
            <span class="soft">Triggers are off since an undo, until somebody compacts.</span>
          )}
        </div>
      )}
      {dialog === 'compact' && <CompactNow live={live} close={() => setDialog(null)} />}
      {dialog === 'undo' && <UndoDialog live={live} close={() => setDialog(null)} />}
      <Shown of={receipts} rows={5}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No compaction so far">
              While the conversation fits, the model sees every message. A compaction replaces older
              messages by a history block; the log keeps them all.
            </Empty>
          ) : chosen === undefined ? (
            <ReceiptList id={id} receipts={all} versions={live.data.versions} />
          ) : (
            <ReceiptDetail live={live} receipt={chosen} />
          )
        }
      </Shown>
      {chosen === undefined && <VersionList live={live} />}
    </div>
  )
}

interface ReceiptListProps {
  readonly id: string
  readonly receipts: readonly Receipt[]
  readonly versions: readonly ViewVersion[]
}

function ReceiptList({ id, receipts, versions }: ReceiptListProps) {
  return (
    <ol class="cards">
      {receipts.map((receipt) => {
        const { version, at, covered, keeps, tokensBefore, tokensAfter, decision } = receipt
        const dropped = droppedIn(receipt)
        return (
          <li key={version}>
            <a class="card" href={linkTo(id, 'compactions', version)}>
              <span class="card-title">
                {dropped === 0
                  ? 'Shortened messages only'
                  : `${count(dropped, 'message')} replaced, ${anchor(covered)}`}
              </span>
              {isInForce(receipt, versions) && <span class="badge state">in force</span>}
              <span class="card-line">
                {tokensBefore === null ? '' : `${short(tokensBefore)} → `}
                <b>{tokens(tokensAfter)}</b>
                <Drop before={tokensBefore} after={tokensAfter} />
              </span>
              <span class="soft">
                {`Why: ${reasonText(decision.reason)} · ${count(keeps.length, 'message')} kept · ${costText(receipt)} · ${time(at)}`}
              </span>
            </a>
          </li>
        )
      })}
    </ol>
  )
}

/** Its view is the current one, or the current one is that view, restored. */
export function isInForce({ version, model }: Receipt, versions: readonly ViewVersion[]): boolean {
  const current = versions.find((each) => each.current && each.model === model)
  return current?.version === version || current?.of === version
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

interface DialogProps {
  readonly live: LiveConversation
  readonly close: () => void
}

/** Shows first what the undo would restore. */
export function UndoDialog({ live, close }: DialogProps) {
  const { id, model, view } = live.data
  const body = model === null ? {} : { model }
  const preview = useLoaded(`undo ${id} ${model}`, (signal) =>
    call<ViewVersion>(pathOf(id, 'compactions', 'undo', 'preview'), {
      method: 'POST',
      body,
      signal,
    }),
  )
  const undo = async () => {
    await call(pathOf(id, 'compactions', 'undo'), { method: 'POST', body })
    live.refresh()
    close()
    return 'The compaction is undone. Under Views you can take that back, too.'
  }
  const line = view?.line ?? 0
  return (
    <Dialog title="Undo the last compaction" close={close}>
      {preview.kind === 'failed' && preview.error.failure?.kind === 'fewer' ? (
        <p>There is no compaction to undo.</p>
      ) : (
        <Shown of={preview}>
          {(after) => (
            <>
              <p>
                {after.line === 0
                  ? 'The model will see every message again, as far as they fit.'
                  : `The line moves back from #${line} to #${after.line}: ${count(Math.max(0, line - after.line), 'message')} will be shown whole again.`}
              </p>
              <p class="soft">
                {after.tokens > 0 && `The restored view began with ${tokens(after.tokens)}. `}
                Triggers stay off for this model until somebody compacts, or a request would not
                fit.
              </p>
            </>
          )}
        </Shown>
      )}
      <footer class="dialog-foot">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <Action kind="primary" run={undo} disabled={preview.kind !== 'loaded'}>
          Undo
        </Action>
      </footer>
    </Dialog>
  )
}

function VersionList({ live }: { readonly live: LiveConversation }) {
  const { id, versions } = live.data
  if (versions.length === 0) return null
  const restore = async (version: number) => {
    await call(pathOf(id, 'compactions', 'restore'), { method: 'POST', body: { version } })
    live.refresh()
    return 'The view is restored.'
  }
  return (
    <section>
      <h2>Views</h2>
      <p class="soft">
        Every view that was in force. Restoring one changes no message, and can be taken back here.
      </p>
      <Wide label="Views">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Why it began</th>
              <th scope="col">Line</th>
              <th scope="col" class="number">
                Tokens at first
              </th>
              <th scope="col">
                <span class="hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ version, at, cause, line, tokens: began, current, epoch }) => (
              <tr key={version} class={current ? 'is-current' : ''}>
                <td>{time(at)}</td>
                <td>{epoch === null ? 'everything was shown again' : reasonText(cause)}</td>
                <td>{line === 0 ? 'none' : `#${line}`}</td>
                <td class="number">{began === 0 ? '' : short(began)}</td>
                <td class="number">
                  {current ? (
                    <span class="badge state">in force</span>
                  ) : (
                    <Action
                      kind="quiet"
                      run={() => restore(version)}
                      label={`Restore the view of ${time(at)}`}
                    >
                      Restore
                    </Action>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </section>
  )
}
