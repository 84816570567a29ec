/** One compaction: why it happened, the requests before and after it, and the ways back. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { anchor, count, number, short, time, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { RebuiltRequest, Receipt } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { reasonText, slotText } from '../data/words.ts'
import { Action, MayWrite } from '../parts/action.tsx'
import { SentMessage } from '../parts/sent-message.tsx'
import { Shown } from '../parts/states.tsx'
import { costText, isInForce, UndoDialog } from './compactions.tsx'
import { DropList, droppedIn } from './drop-list.tsx'
import { HistoryBlock } from './history-block.tsx'

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
  const drops = useRef<HTMLDivElement>(null)
  // The link that led here is gone, and the focus with it.
  useEffect(() => heading.current?.focus(), [version])
  const own = versions.find((each) => each.version === version)
  const isShown = isInForce(receipt, versions)
  const dropped = droppedIn(receipt)
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
          {tokensBefore === null
            ? `To ${tokens(tokensAfter)}`
            : `From ${short(tokensBefore)} to ${tokens(tokensAfter)}`}
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
          {dropped === 0 ? (
            'no message'
          ) : (
            <>
              {`${count(dropped, 'message')} of `}
              <a class="anchor" href={linkTo(id, 'messages', covered.from)}>
                {anchor(covered)}
              </a>
              <span class="soft"> from requests; the log keeps them all. </span>
              <button type="button" class="link" onClick={() => drops.current?.scrollIntoView()}>
                See the list
              </button>
            </>
          )}
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
          <span class="soft">{` · the cached prefix was lost once: ${tokens(tokensAfter)} sent at the full price`}</span>
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
            <span class="soft">counted after 30 more requests</span>
          ) : (
            `${count(followUp.reopenedFiles, 'file')} read again, ${count(followUp.recalls, 'recall')}, ${number(followUp.names.missing.length)} names missing`
          )}
        </dd>
      </dl>
      <BeforeAfter live={live} receipt={receipt} />
      <HistoryBlock live={live} receipt={receipt} isInForce={isShown} />
      <div ref={drops}>
        <DropList id={id} receipt={receipt} />
      </div>
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
  const { messages, request: use, sections, suppliedTokens } = request
  const prompt = sections.filter(({ kind }) => kind === 'system' || kind === 'tools')
  const promptTokens = prompt.reduce((sum, each) => sum + each.tokens, suppliedTokens)
  const slots = Map.groupBy(messages, ({ slot }) => slot)
  return (
    <section class="side" aria-label={title}>
      <h4>
        {title}{' '}
        <a class="anchor" href={linkTo(id, 'requests', use.fingerprint)}>
          {tokens(use.tokens)}
        </a>
      </h4>
      {promptTokens > 0 && <p class="soft">{`system prompt and tools: ${tokens(promptTokens)}`}</p>}
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
