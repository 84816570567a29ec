/** All versions of the summary, with a way back to each. */
import { call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { anchor, count, time } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { KeptSummary, Page } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Action } from '../parts/action.tsx'
import { TextWithAnchors } from '../parts/text-with-anchors.tsx'

interface SummariesProps {
  readonly live: LiveConversation
  readonly model: string
}

export function SummaryVersions({ live, model }: SummariesProps) {
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
      {summaries.value.map((summary) => (
        <SummaryVersion key={summary.id} live={live} model={model} summary={summary} />
      ))}
    </details>
  )
}

interface SummaryProps extends SummariesProps {
  readonly summary: KeptSummary
}

function SummaryVersion({ live, model, summary }: SummaryProps) {
  const { id, versions } = live.data
  const { version, text, covers, createdAt, madeBy, withdrawn } = summary
  // What requests showed with this text: it is restored as a whole, since the text covers what was dropped then.
  const states = versions.filter(
    (each) => each.model === model && each.summaryId === summary.id && each.epoch !== null,
  )
  const [newest] = states
  const isInUse = states.some(({ current }) => current)
  const restore = async (state: number) => {
    await call(pathOf(id, 'compactions', 'restore'), { method: 'POST', body: { version: state } })
    live.refresh()
    return `Done: the next request shows version ${version} of the summary.`
  }
  return (
    <section class={`summary-version${withdrawn ? ' struck' : ''}`}>
      <h4>
        {`Version ${version}`}{' '}
        <span class="soft">
          {`${time(createdAt)} · ${madeBy.summarizer === 'person' ? 'a person' : madeBy.model} · covers `}
          <a class="anchor" href={linkTo(id, 'messages', covers.from)}>
            {anchor(covers)}
          </a>
          {withdrawn && ' · undone'}
        </span>{' '}
        {isInUse && <span class="badge state">in use</span>}
        {!isInUse && newest !== undefined && (
          <Action
            kind="quiet"
            run={() => restore(newest.version)}
            label={`Restore version ${version} of the summary`}
          >
            Restore
          </Action>
        )}
      </h4>
      <TextWithAnchors text={text} id={id} />
    </section>
  )
}
