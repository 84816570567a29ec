/** One compaction: before and after, what it dropped, the history block, and the ways back. */
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ApiError, call, pathOf, send } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { anchor, count, number, short, time, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type {
  KeptSummary,
  KeptVersion,
  Message,
  Page,
  RebuiltRequest,
  Receipt,
  SummaryText,
} from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { originText, reasonText, slotText } from '../data/words.ts'
import { Action, MayWrite } from '../parts/action.tsx'
import { oneLine, outputText } from '../parts/message-parts.tsx'
import { Shown } from '../parts/states.tsx'
import { TextWithAnchors } from '../parts/text-with-anchors.tsx'
import { costText, isInForce, UndoDialog } from './compactions.tsx'
import { SentMessage } from './requests.tsx'

interface ReceiptProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
}

export function ReceiptDetail({ live, receipt }: ReceiptProps) {
  const { id, versions } = live.data
  const {
    version,
    covered,
    keeps,
    stubbed,
    tokensBefore,
    tokensAfter,
    decision,
    at,
    followUp,
    redacted,
  } = receipt
  const mayWrite = useContext(MayWrite)
  const [isUndoing, setUndoing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // The link that led here is gone, and the focus with it.
  useEffect(() => heading.current?.focus(), [version])
  const own = versions.find((each) => each.version === version)
  const isShown = isInForce(receipt, versions)
  const dropped = covered.to - covered.from
  const restore = async () => {
    await call(pathOf(id, 'compactions', 'restore'), { method: 'POST', body: { version } })
    live.refresh()
    return 'This view is in force again.'
  }
  return (
    <article class="detail">
      <a class="back" href={linkTo(id, 'compactions')}>
        All compactions
      </a>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {tokensBefore === null ? '' : `${short(tokensBefore)} → `}
          {tokens(tokensAfter)}
        </h2>
        <p class="soft">{`${time(at)} · ${receipt.model} · receipt ${version}`}</p>
        <div class="actions">
          {isShown && mayWrite && (
            <button type="button" class="primary" onClick={() => setUndoing(true)}>
              Undo this compaction…
            </button>
          )}
          {own !== undefined && !isShown && <Action run={restore}>Restore this view</Action>}
          {isShown && <span class="badge state">in force</span>}
        </div>
      </header>
      {isUndoing && <UndoDialog live={live} close={() => setUndoing(false)} />}
      <dl class="facts">
        <dt>Why</dt>
        <dd>
          {reasonText(decision.reason)}
          {decision.figures.tokens !== null && (
            <span class="soft">{` (${short(decision.figures.tokens)} of ${tokens(decision.figures.availableTokens)})`}</span>
          )}
        </dd>
        <dt>Dropped</dt>
        <dd>
          {dropped === 0 ? 'no message' : `${count(dropped, 'message')}, ${anchor(covered)}`}
          <span class="soft"> from requests; the log keeps them all</span>
        </dd>
        <dt>Kept</dt>
        <dd>
          {keeps.length === 0
            ? 'none of them'
            : keeps.map((seq) => (
                <a key={seq} class="anchor chip" href={linkTo(id, 'messages', seq)}>{`#${seq}`}</a>
              ))}
          {stubbed > 0 && (
            <span class="soft">{` ${count(stubbed, 'message')} shortened to a stub`}</span>
          )}
        </dd>
        <dt>Cost</dt>
        <dd>
          {costText(receipt)}
          <span class="soft"> · the next request loses the cached prefix once</span>
        </dd>
        {redacted > 0 && (
          <>
            <dt>Redacted</dt>
            <dd>{count(redacted, 'secret')}</dd>
          </>
        )}
        <dt>Needed again</dt>
        <dd>
          {followUp === null ? (
            <span class="soft">known 30 requests later</span>
          ) : (
            `${count(followUp.reopenedFiles, 'file')} read again, ${count(followUp.recalls, 'recall')}, ${number(followUp.names.missing.length)} names missing`
          )}
        </dd>
      </dl>
      <BeforeAfter live={live} receipt={receipt} />
      <History live={live} receipt={receipt} isInForce={isShown} />
      <DropList id={id} receipt={receipt} />
    </article>
  )
}

/** The last request before and the first after, where they are still recorded. */
function BeforeAfter({ live, receipt }: ReceiptProps) {
  const { id, status } = live.data
  const ofModel = status.requests.filter(({ model }) => model === receipt.model)
  const at = ofModel.findLastIndex(({ epoch }) => epoch === receipt.epoch)
  const [after, before] = [ofModel[at], ofModel[at + 1]]
  const read = async (fingerprint: string | undefined, signal: AbortSignal) =>
    fingerprint === undefined
      ? null
      : call<RebuiltRequest>(pathOf(id, 'requests', fingerprint), { signal })
  const both = useLoaded(`pair ${id} ${before?.fingerprint} ${after?.fingerprint}`, (signal) =>
    Promise.all([read(before?.fingerprint, signal), read(after?.fingerprint, signal)]),
  )
  const kinds = Object.entries(receipt.tokensByKind).filter(([, used]) => used > 0)
  return (
    <section>
      <h3>Before and after</h3>
      <p class="soft">
        The last request before the compaction, and the first after it.
        {receipt.tokensBefore !== null &&
          ` Without it, that one would have had ${tokens(receipt.tokensBefore)}.`}
      </p>
      <Shown of={both}>
        {([earlier, later]) =>
          earlier === null || later === null ? (
            <>
              <p class="soft">
                The requests of this compaction are no longer recorded; this is what the receipt
                counts after it.
              </p>
              <ul class="plain">
                {kinds.map(([kind, used]) => (
                  <li key={kind}>{`${slotText(kind)}: ${tokens(used)}`}</li>
                ))}
              </ul>
            </>
          ) : (
            <div class="sides">
              <Side id={id} title="Before" request={earlier} />
              <Side id={id} title="After" request={later} />
            </div>
          )
        }
      </Shown>
    </section>
  )
}

interface SideProps {
  readonly id: string
  readonly title: string
  readonly request: RebuiltRequest
}

const shownMessages = 40

function Side({ id, title, request }: SideProps) {
  const { messages, request: use, suppliedTokens } = request
  const slots = Map.groupBy(messages, ({ slot }) => slot)
  return (
    <section class="side" aria-label={title}>
      <h4>
        {title}{' '}
        <a class="anchor" href={linkTo(id, 'requests', use.fingerprint)}>
          {tokens(use.tokens)}
        </a>
      </h4>
      {suppliedTokens > 0 && (
        <p class="soft">{`system prompt and tools: ${tokens(suppliedTokens)}`}</p>
      )}
      {[...slots].map(([slot, sent]) => (
        <details key={slot} class="fold" open={slots.size === 1}>
          <summary>
            <span class="fold-name">{slotText(slot)}</span>
            <span class="fold-hint">{count(sent.length, 'message')}</span>
            <span class="fold-size">
              {tokens(sent.reduce((sum, each) => sum + each.tokens, 0))}
            </span>
          </summary>
          {sent.slice(0, shownMessages).map((each, at) => (
            <SentMessage key={at} id={id} sent={each} mark={null} />
          ))}
          {sent.length > shownMessages && (
            <a class="more" href={linkTo(id, 'requests', use.fingerprint)}>
              {`All ${count(sent.length, 'message')}`}
            </a>
          )}
        </details>
      ))}
    </section>
  )
}

interface HistoryProps extends ReceiptProps {
  readonly isInForce: boolean
}

function History({ live, receipt, isInForce }: HistoryProps) {
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
    live.version,
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

const dropPage = 50

/** The dropped messages, in one line each. */
function DropList({ id, receipt }: { readonly id: string; readonly receipt: Receipt }) {
  const { covered, keeps } = receipt
  const [to, setTo] = useState(Math.min(covered.to, covered.from + dropPage))
  const messages = useLoaded(`dropped ${id} ${covered.from} ${to}`, async (signal) => {
    const items: Message[] = []
    for (let from = covered.from; from < to; ) {
      const query = { from, to, limit: 200, origins: true }
      const page = await call<Page<Message>>(pathOf(id, 'messages'), { query, signal })
      items.push(...page.items)
      if (page.next === null) break
      from = Number(page.next)
    }
    return items
  })
  const kept = useMemo(() => new Set(keeps), [keeps])
  if (covered.to === covered.from) return null
  return (
    <section>
      <h3>
        Dropped messages{' '}
        <span class="soft">
          {count(
            covered.to -
              covered.from -
              keeps.filter((seq) => seq >= covered.from && seq < covered.to).length,
            'message',
          )}
        </span>
      </h3>
      <Shown of={messages} rows={8}>
        {(items) => (
          <ol class="drop-list">
            {items
              .filter(({ seq }) => !kept.has(seq))
              .map((message) => (
                <li key={message.seq}>
                  <a href={linkTo(id, 'messages', message.seq)}>
                    <span class="anchor">{`#${message.seq}`}</span>
                    <span class={`badge origin-${message.origin}`}>
                      {originText(message.origin)}
                    </span>
                    <span class="drop-text">{lineOf(message)}</span>
                  </a>
                </li>
              ))}
          </ol>
        )}
      </Shown>
      {to < covered.to && (
        <button type="button" class="quiet" onClick={() => setTo(Math.min(covered.to, to + 200))}>
          {`Show more of ${count(covered.to - to, 'message')}`}
        </button>
      )}
    </section>
  )
}

function lineOf({ parts }: Message): string {
  const texts = parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    if (part.type === 'tool-call') return `${part.name} ${part.input}`
    if (part.type === 'tool-result') return outputText(part.output)
    return part.type
  })
  return oneLine(texts.join('  '))
}
