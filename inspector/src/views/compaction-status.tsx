/** Whether requests use a compaction, and the buttons that change that. */
import { useContext, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import type { CompactionStatus } from '../data/compaction-status.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { time } from '../data/format.ts'
import type { Receipt } from '../data/types.ts'
import { Action, MayWrite } from '../parts/action.tsx'
import { UndoDialog } from './undo-dialog.tsx'

export function StatusBadge({ status }: { readonly status: CompactionStatus }) {
  if (status === 'in-use') return <span class="badge state">in use</span>
  if (status === 'undone') return <span class="badge warn">undone</span>
  return null
}

interface StatusProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  readonly status: CompactionStatus
  /** The compactions that an undo takes back. */
  readonly undoes: readonly Receipt[]
}

export function StatusActions({ live, receipt, status, undoes }: StatusProps) {
  const mayWrite = useContext(MayWrite)
  const [isUndoing, setUndoing] = useState(false)
  const { version, at } = receipt
  const restore = async () => {
    await call(pathOf(live.data.id, 'compactions', 'restore'), {
      method: 'POST',
      body: { version },
    })
    live.refresh()
    return 'Done: the next request uses this compaction.'
  }
  if (!mayWrite) return null
  switch (status) {
    case 'in-use':
    case 'continued':
      return (
        <>
          <button type="button" onClick={() => setUndoing(true)}>
            {status === 'in-use' ? 'Undo this compaction…' : 'Undo all after this one…'}
          </button>
          {isUndoing && (
            <UndoDialog
              {...{ live, receipt, undoes }}
              target={status === 'in-use' ? 'before' : 'this'}
              close={() => setUndoing(false)}
            />
          )}
        </>
      )
    case 'undone':
      return (
        <Action kind="primary" run={restore} label={`Put it back: the compaction of ${time(at)}`}>
          Put it back
        </Action>
      )
    case 'changed':
      return null
  }
}
