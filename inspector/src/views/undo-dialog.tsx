/** An undo as a dry run, with the messages that requests show again; then for real. */
import type { ComponentChildren } from 'preact'
import { call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { type ShownAgain, shownAgain } from '../data/dropped.ts'
import { count, tokens } from '../data/format.ts'
import type { KeptVersion, Receipt, ViewVersion } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Action } from '../parts/action.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Shown } from '../parts/states.tsx'

interface UndoProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  readonly close: () => void
}

export function UndoDialog({ live, receipt, close }: UndoProps) {
  const { id, versions, conversation } = live.data
  const { model, tokensBefore, tokensAfter } = receipt
  const body = { model }
  const current = versions.find((each) => each.current && each.model === model)
  const preview = useLoaded(`undo ${id} ${model} ${current?.version}`, async (signal) => {
    const viewOf = async (version: number | null | undefined) =>
      version === null || version === undefined
        ? null
        : (await call<KeptVersion>(pathOf(id, 'versions', version), { signal })).view
    const path = pathOf(id, 'compactions', 'undo', 'preview')
    const after = await call<ViewVersion>(path, { method: 'POST', body, signal })
    const [now, then] = await Promise.all([viewOf(current?.version), viewOf(after.of)])
    return { again: shownAgain(now, then, conversation.head), isEverything: then === null }
  })
  const undo = async () => {
    await call(pathOf(id, 'compactions', 'undo'), { method: 'POST', body })
    live.refresh()
    close()
    return 'Undone. “Put it back” takes that back.'
  }
  return (
    <Dialog title="Undo this compaction" close={close}>
      {preview.kind === 'failed' && preview.error.failure?.kind === 'fewer' ? (
        <p>There is no compaction to undo.</p>
      ) : (
        <Shown of={preview}>
          {({ again, isEverything }) => (
            <>
              <p>
                {isEverything
                  ? 'Requests show every message again, as far as they fit.'
                  : 'Requests show again what they showed before this compaction:'}
              </p>
              <Changes again={again} />
              {tokensBefore !== null && (
                <p>
                  {`Its request had ${tokens(tokensAfter)}; without the compaction, it would have had ${tokens(tokensBefore)}.`}
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

function Changes({ again }: { readonly again: ShownAgain }) {
  const { whole, shortened, lengthened, dropped } = again
  return (
    <ul class="changes">
      <Change of={whole + shortened}>
        that it dropped {whole + shortened === 1 ? 'is' : 'are'} shown again
        {shortened > 0 &&
          `: ${whole} whole and ${shortened} shortened, because ${shortened === 1 ? 'it is' : 'they are'} long`}
      </Change>
      <Change of={lengthened}>
        that it shortened {lengthened === 1 ? 'is' : 'are'} whole again
      </Change>
      <Change of={dropped}>that it shows {dropped === 1 ? 'is' : 'are'} dropped again</Change>
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
