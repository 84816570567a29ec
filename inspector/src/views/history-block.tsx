/** The text that replaces older messages, with its sources; a person corrects its summary here. */
import { useState } from 'preact/hooks'
import { ApiError, call, pathOf, send } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { anchor, count, short, time } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { KeptSummary, KeptVersion, Page, Receipt, SummaryText } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Action } from '../parts/action.tsx'
import { Shown } from '../parts/states.tsx'
import { TextWithAnchors } from '../parts/text-with-anchors.tsx'

interface HistoryProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  readonly isInForce: boolean
}

export function HistoryBlock({ live, receipt, isInForce }: HistoryProps) {
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
          const history = found?.view?.history ?? null
          if (found === null) return <p class="soft">This view is no longer kept.</p>
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
              {isInForce && model === live.data.model ? (
                <SummaryEditor live={live} model={model} text={history.summary} />
              ) : (
                <Block title="Digest or summary" text={history.summary} id={id} />
              )}
              <Block
                title={`Ledger, ${history.entriesShown} of ${count(history.entries, 'entry', 'entries')}`}
                text={history.ledger}
                id={id}
              />
              <Block title="Files in work" text={history.files} id={id} />
              <SummaryVersions live={live} />
            </>
          )
        }}
      </Shown>
    </section>
  )
}

interface BlockProps {
  readonly title: string
  readonly text: string
  readonly id: string
}

function Block({ title, text, id }: BlockProps) {
  if (text === '') return null
  return (
    <details class="fold block" open={text.length < 2500}>
      <summary>
        <span class="fold-name">{title}</span>
        <span class="fold-size">{`${short(text.length)} characters`}</span>
      </summary>
      <TextWithAnchors text={text} id={id} />
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

function SummaryVersions({ live }: { readonly live: LiveConversation }) {
  const { id } = live.data
  const summaries = useLoaded(
    `summaries ${id}`,
    async (signal) =>
      (await call<Page<KeptSummary>>(pathOf(id, 'summaries'), { query: { limit: 50 }, signal }))
        .items,
    live.stamp,
  )
  if (summaries.value === null || summaries.value.length === 0) return null
  return (
    <details class="fold block">
      <summary>
        <span class="fold-name">Versions of the summary</span>
        <span class="fold-size">{count(summaries.value.length, 'version')}</span>
      </summary>
      {summaries.value.map(
        ({ id: summary, version, text, covers, createdAt, madeBy, withdrawn }) => (
          <section key={summary} class={withdrawn ? 'struck' : ''}>
            <h4>
              {`Version ${version}`}{' '}
              <span class="soft">
                {`${time(createdAt)} · ${madeBy.summarizer === 'person' ? 'a person' : madeBy.model} · covers `}
                <a class="anchor" href={linkTo(id, 'messages', covers.from)}>
                  {anchor(covers)}
                </a>
                {withdrawn && ' · withdrawn'}
              </span>
            </h4>
            <TextWithAnchors text={text} id={id} />
          </section>
        ),
      )}
    </details>
  )
}
