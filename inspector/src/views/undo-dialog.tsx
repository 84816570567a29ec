/** An undo as a dry run, with the messages that requests show again; then for real. */
import type { ComponentChildren } from 'preact'
import { call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { type ShownAgain, shownAgain } from '../data/dropped.ts'
import { anchor, count, number, time } from '../data/format.ts'
import {
  type Forecast,
  forecastOf,
  measureNext,
  type NextRequest,
  sizeAfterUndo,
} from '../data/next-request.ts'
import type { KeptVersion, Receipt, ViewVersion } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Action } from '../parts/action.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Shown } from '../parts/states.tsx'

interface UndoProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  /** The compactions that it takes back, newest first. */
  readonly undoes: readonly Receipt[]
  /** What requests show after it: the state before the compaction, or that of the compaction itself. */
  readonly target: 'before' | 'this'
  readonly close: () => void
}

export function UndoDialog({ live, receipt, undoes, target, close }: UndoProps) {
  const { id, versions, conversation, status, modelName } = live.data
  const { model, version } = receipt
  const isOne = target === 'before'
  const body = isOne ? { model } : { version }
  const current = versions.find((each) => each.current && each.model === model)
  const last = status.requests.find((each) => each.model === model) ?? null
  const name = model === live.data.model ? (modelName ?? model) : model
  const preview = useLoaded(
    `undo ${id} ${model} ${current?.version} ${version}`,
    async (signal) => {
      const viewOf = async (of: number | null | undefined) =>
        of === null || of === undefined
          ? null
          : (await call<KeptVersion>(pathOf(id, 'versions', of), { signal })).view
      const path = pathOf(id, 'compactions', 'undo', 'preview')
      const to = isOne
        ? (await call<ViewVersion>(path, { method: 'POST', body, signal })).of
        : version
      const [now, then, next] = await Promise.all([
        viewOf(current?.version),
        viewOf(to),
        last === null ? null : measureNext(id, name, last.fingerprint, signal).catch(() => null),
      ])
      const again = shownAgain(now, then, conversation.head)
      return { again, isEverything: then === null, forecast: forecastAfter(next, undoes) }
    },
  )
  const undo = async () => {
    await call(pathOf(id, 'compactions', isOne ? 'undo' : 'restore'), { method: 'POST', body })
    live.refresh()
    close()
    return 'Undone. “Put it back” takes that back.'
  }
  return (
    <Dialog title={isOne ? 'Undo this compaction' : 'Undo all after this one'} close={close}>
      {preview.kind === 'failed' && preview.error.failure?.kind === 'fewer' ? (
        <p>There is no compaction to undo.</p>
      ) : (
        <Shown of={preview}>
          {({ again, isEverything, forecast }) => (
            <>
              {!isOne && <Undone receipts={undoes} />}
              <p>
                {isEverything
                  ? 'Requests show every message again, as far as they fit.'
                  : `Requests show again what they showed ${isOne ? 'before' : 'after'} this compaction:`}
              </p>
              <Changes again={again} subject={isOne ? 'it' : 'they'} />
              {forecast !== null && (
                <p
                  class={forecast.lasts ? '' : 'warning'}
                  role={forecast.lasts ? undefined : 'note'}
                >
                  {forecast.text}
                </p>
              )}
              <p class="soft">
                Auto-compaction is then off for this model until somebody compacts, puts this
                compaction back, or a request would not fit.
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

function forecastAfter(next: NextRequest | null, undoes: readonly Receipt[]): Forecast | null {
  const size = next === null ? null : sizeAfterUndo(next.tokens, undoes)
  return next === null || size === null ? null : forecastOf(size, next.availableTokens)
}

function Undone({ receipts }: { readonly receipts: readonly Receipt[] }) {
  return (
    <>
      <p>{`This undoes ${count(receipts.length, 'compaction')}:`}</p>
      <ul class="changes">
        {receipts.map(({ version, at, covered, tokensBefore, tokensAfter }) => (
          <li key={version}>
            {`${time(at)}${covered.to > covered.from ? `, ${anchor(covered)}` : ''}: ${tokensBefore === null ? '' : `${number(tokensBefore)} → `}${number(tokensAfter)} tokens`}
          </li>
        ))}
      </ul>
    </>
  )
}

interface ChangesProps {
  readonly again: ShownAgain
  /** Who dropped the messages: one compaction, or several. */
  readonly subject: string
}

function Changes({ again, subject }: ChangesProps) {
  const { whole, shortened, lengthened, dropped } = again
  return (
    <ul class="changes">
      <Change of={whole + shortened}>
        that {subject} dropped {whole + shortened === 1 ? 'is' : 'are'} shown again
        {shortened > 0 &&
          `: ${whole} whole and ${shortened} shortened, because ${shortened === 1 ? 'it is' : 'they are'} long`}
      </Change>
      <Change of={lengthened}>
        that {subject} shortened {lengthened === 1 ? 'is' : 'are'} whole again
      </Change>
      <Change of={dropped}>{dropped === 1 ? 'is' : 'are'} dropped again</Change>
    </ul>
  )
}

function Change({ of, children }: { readonly of: number; readonly children: ComponentChildren }) {
  if (of === 0) return null
  return (
    <li>
      <b>{count(of, 'message')}</b> {children}
    </li>
  )
}
