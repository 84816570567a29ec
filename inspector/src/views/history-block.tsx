/** The text that replaces older messages, with its sources; a person corrects its summary here. */
import { useState } from 'preact/hooks'
import { ApiError, call, pathOf, send } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { count, short } from '../data/format.ts'
import type { KeptVersion, Receipt, SummaryText } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Action } from '../parts/action.tsx'
import { Shown } from '../parts/states.tsx'
import { Meaning, type TermName } from '../parts/term.tsx'
import { TextWithAnchors } from '../parts/text-with-anchors.tsx'
import { SummaryVersions } from './summary-versions.tsx'

interface HistoryProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  readonly isInUse: boolean
}

export function HistoryBlock({ live, receipt, isInUse }: HistoryProps) {
  const { id } = live.data
  const { version, model } = receipt
  const kept = useLoaded(`version ${id} ${version}`, async (signal) => {
    try {
      return await call<KeptVersion>(pathOf(id, 'versions', version), { signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  })
  return (
    <section>
      <h3>What replaces the dropped messages</h3>
      <Shown of={kept}>
        {(found) => {
          // A person may have corrected the summary of the compaction in use.
          const isCurrent = isInUse && model === live.data.model
          const view = isCurrent ? live.data.view : (found?.view ?? null)
          const history = view?.history ?? null
          if (found === null) return <p class="soft">This state is no longer kept.</p>
          if (history === null) return <p class="soft">Nothing: no message was dropped.</p>
          const { written } = history
          const author =
            written === null
              ? 'Written by rules, without a model.'
              : `A ${written.by === 'person' ? 'person' : 'model'} wrote the summary of the messages before #${written.to}.`
          return (
            <>
              <p class="soft">{`${author} Anchors such as #12 are the sources.`}</p>
              <Block title="What the user asked for" text={history.requests} id={id} />
              {isCurrent ? (
                <SummaryEditor live={live} model={model} text={history.summary} />
              ) : (
                <Block title="Digest or summary" term="digest" text={history.summary} id={id} />
              )}
              <Block
                title={`Ledger, ${history.entriesShown} of ${count(history.entries, 'entry', 'entries')}`}
                term="ledger"
                text={history.ledger}
                id={id}
              />
              <Block title="Files in work" term="files in work" text={history.files} id={id} />
              <SummaryVersions live={live} model={model} />
            </>
          )
        }}
      </Shown>
    </section>
  )
}

interface BlockProps {
  readonly title: string
  readonly term?: TermName
  readonly text: string
  readonly id: string
}

function Block({ title, term, text, id }: BlockProps) {
  if (text === '') return null
  return (
    <details class="fold block" open={text.length < 2500}>
      <summary>
        <span class="fold-name">{title}</span>
        <span class="fold-size">{`${short(text.length)} characters`}</span>
      </summary>
      <div>
        {term !== undefined && <Meaning of={term} />}
        <TextWithAnchors text={text} id={id} />
      </div>
    </details>
  )
}

interface EditorProps {
  readonly live: LiveConversation
  readonly model: string
  readonly text: string
}

function SummaryEditor({ live, model, text }: EditorProps) {
  const { id } = live.data
  const [draft, setDraft] = useState<string | null>(null)
  const query = { model }
  const begin = async () => {
    setDraft((await call<SummaryText>(pathOf(id, 'summary'), { query })).content)
    return null
  }
  const save = async () => {
    const etag = (await send(pathOf(id, 'summary'), { query })).headers.get('etag') ?? '*'
    await call(pathOf(id, 'summary'), {
      method: 'PUT',
      headers: { 'if-match': etag },
      body: { model, text: draft },
    })
    setDraft(null)
    live.refresh()
    return 'The summary is corrected; the next request shows it.'
  }
  if (draft === null)
    return (
      <>
        <Block title="Digest or summary" text={text} id={id} />
        <Action kind="quiet" run={begin}>
          Correct the summary…
        </Action>
      </>
    )
  return (
    <div class="editor">
      <textarea
        rows={12}
        value={draft}
        aria-label="Text of the summary"
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <div class="actions">
        <Action kind="primary" run={save} disabled={draft.trim() === ''}>
          Save the summary
        </Action>
        <button type="button" onClick={() => setDraft(null)}>
          Cancel
        </button>
      </div>
    </div>
  )
}
