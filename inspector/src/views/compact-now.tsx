/** A compaction as a dry run, with instructions; then for real. */
import { useState } from 'preact/hooks'
import { ApiError, call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { anchor, count, short, tokens } from '../data/format.ts'
import type { Preview } from '../data/types.ts'
import { Action } from '../parts/action.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextWithAnchors } from '../parts/text-with-anchors.tsx'

interface CompactNowProps {
  readonly live: LiveConversation
  readonly close: () => void
}

export function CompactNow({ live, close }: CompactNowProps) {
  const { id, modelName } = live.data
  const [instructions, setInstructions] = useState('')
  const [preview, setPreview] = useState<Preview | null>(null)
  const body = {
    model: modelName,
    ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
  }
  const look = async () => {
    setPreview(await call<Preview>(pathOf(id, 'compactions', 'preview'), { method: 'POST', body }))
    return null
  }
  const compact = async () => {
    try {
      await call(pathOf(id, 'compactions'), { method: 'POST', body })
    } catch (error) {
      if (error instanceof ApiError && error.failure?.kind === 'nothing-to-compact')
        return 'There is nothing to compact.'
      throw error
    }
    live.refresh()
    close()
    return 'Compacted. You can undo it in the list.'
  }
  return (
    <Dialog title="Compact now" close={close}>
      <label class="field">
        What should the summary focus on?{' '}
        <span class="soft">Optional; used where a model writes it.</span>
        <textarea
          rows={2}
          value={instructions}
          onInput={(event) => setInstructions(event.currentTarget.value)}
        />
      </label>
      {preview !== null && <PreviewOf id={id} preview={preview} />}
      <footer class="dialog-foot">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <Action kind={preview === null ? 'primary' : 'plain'} run={look}>
          Dry run
        </Action>
        {preview !== null && (
          <Action kind="primary" run={compact} disabled={preview.plan === null}>
            Compact
          </Action>
        )}
      </footer>
    </Dialog>
  )
}

function PreviewOf({ id, preview }: { readonly id: string; readonly preview: Preview }) {
  const { plan, receipt, requests, summary, ledger, files } = preview
  if (plan === null || receipt === null) return <p>A compaction would change nothing now.</p>
  const { covered, keeps, stubbed } = plan
  const kept = keeps.filter((seq) => seq >= covered.from && seq < covered.to).length
  const dropped = covered.to - covered.from - kept
  const changes = [
    ...(dropped > 0 ? [`${count(dropped, 'message')} of ${anchor(covered)} would be dropped`] : []),
    ...(kept > 0 ? [`${count(kept, 'message')} of them kept`] : []),
    ...(stubbed.length > 0 ? [`${count(stubbed.length, 'message')} would be shortened`] : []),
  ]
  const texts = {
    'What the user asked for': requests,
    Summary: summary,
    Ledger: ledger,
    Files: files,
  }
  return (
    <div class="preview" role="status">
      <p>
        <b>
          {receipt.tokensBefore === null ? '' : `${short(receipt.tokensBefore)} → `}
          {tokens(receipt.tokensAfter)}
        </b>
        {`: ${changes.length === 0 ? 'no message would be dropped' : changes.join(', ')}. Nothing is changed yet.`}
      </p>
      {Object.entries(texts)
        .filter(([, text]) => text !== '')
        .map(([title, text]) => (
          <details key={title} class="fold">
            <summary>
              <span class="fold-name">{title}</span>
              <span class="fold-size">{`${short(text.length)} characters`}</span>
            </summary>
            <TextWithAnchors text={text} id={id} />
          </details>
        ))}
    </div>
  )
}
