/** One compaction: why it happened, what it dropped and kept, what it cost, and the ways back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { CompactionStatus } from '../data/compaction-status.ts'
import type { LiveConversation } from '../data/conversation.ts'
import type { Dropped } from '../data/dropped.ts'
import { anchor, count, number, time } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { Receipt } from '../data/types.ts'
import { whyCompacted } from '../data/why.ts'
import { CopyLink } from '../parts/copy-link.tsx'
import { Term } from '../parts/term.tsx'
import { BeforeAfter } from './before-after.tsx'
import { StatusActions } from './compaction-status.tsx'
import { costText } from './compactions.tsx'
import { DropList } from './drop-list.tsx'
import { HistoryBlock } from './history-block.tsx'

interface ReceiptProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  readonly status: CompactionStatus
  readonly dropped: Dropped
  /** The compactions that an undo takes back. */
  readonly undoes: readonly Receipt[]
}

export function ReceiptDetail({ live, receipt, status, dropped, undoes }: ReceiptProps) {
  const { id } = live.data
  const { version, tokensBefore, tokensAfter, at, model } = receipt
  const heading = useRef<HTMLHeadingElement>(null)
  const drops = useRef<HTMLDivElement>(null)
  // The link that led here is gone, and the focus with it.
  useEffect(() => heading.current?.focus(), [version])
  const link = linkTo(id, 'compactions', version)
  return (
    <article class="detail">
      <a class="back" href={linkTo(id, 'compactions')}>
        All compactions
      </a>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {tokensBefore === null
            ? `Compacted to ${count(tokensAfter, 'token')}`
            : `Compacted from ${number(tokensBefore)} to ${count(tokensAfter, 'token')}`}
        </h2>
        <p class="soft detail-note">
          {`${time(at)} · model ${model}`}
          <CopyLink link={link} what="this compaction" />
        </p>
        <div class={`status is-${status}`}>
          <p>
            <b>{statusTexts[status][0]}</b> {statusTexts[status][1]}
          </p>
          <StatusActions {...{ live, receipt, status, undoes }} />
        </div>
      </header>
      <Facts
        live={live}
        receipt={receipt}
        dropped={dropped}
        seeList={() => drops.current?.scrollIntoView()}
      />
      <BeforeAfter live={live} receipt={receipt} />
      <HistoryBlock live={live} receipt={receipt} isInUse={status === 'in-use'} />
      <div ref={drops}>
        <DropList id={id} receipt={receipt} dropped={dropped} />
      </div>
    </article>
  )
}

const statusTexts: Readonly<Record<CompactionStatus, readonly [title: string, text: string]>> = {
  'in-use': ['In use.', 'The requests of the model are built from it.'],
  undone: ['Undone.', 'A person undid it, so requests do not use it.'],
  continued: ['Continued.', 'A later compaction builds on it.'],
  changed: ['Not in use.', 'Messages were changed since, or its state is no longer kept.'],
}

interface FactsProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
  readonly dropped: Dropped
  readonly seeList: () => void
}

function Facts({ live, receipt, dropped, seeList }: FactsProps) {
  const { keeps, stubbed, tokensBefore, tokensAfter, followUp, redacted } = receipt
  const why = whyCompacted(receipt, live.data.status.requests)
  const chips = (places: readonly number[]) =>
    places.map((seq) => (
      <a key={seq} class="anchor chip" href={linkTo(live.data.id, 'messages', seq)}>{`#${seq}`}</a>
    ))
  return (
    <dl class="facts">
      <Fact name="Why">
        {why.reason} {why.figures !== '' && <span class="soft">{`(${why.figures})`}</span>}
      </Fact>
      <Fact name="Dropped">
        {dropped.count === 0 ? (
          'no message'
        ) : (
          <>
            {`${count(dropped.count, 'message')} of `}
            {chips(dropped.noLongerKept)}
            <Span id={live.data.id} receipt={receipt} />
            <span class="soft"> from requests. The log keeps every message. </span>
            <button type="button" class="link" onClick={seeList}>
              See the list
            </button>
          </>
        )}
      </Fact>
      <Fact name="Kept">
        {keeps.length === 0 ? 'none of the older messages' : chips(keeps)}
        {keeps.length > 0 && <span class="soft">shown whole, although older</span>}
      </Fact>
      {stubbed > 0 && (
        <Fact name="Shortened">
          {count(stubbed, 'message')} <span class="soft">to beginning and end</span>
        </Fact>
      )}
      {tokensBefore !== null && (
        <Fact name="Saved">
          {`${number(tokensBefore)} → ${count(tokensAfter, 'token')}: ${count(tokensBefore - tokensAfter, 'token')} less in each later request`}
        </Fact>
      )}
      <Fact name="Cost">
        {costText(receipt)}
        <span class="soft">
          {`; and ${count(tokensAfter, 'token')} of the next request at the full price, because it lost the `}
          <Term name="cached prefix" />
        </span>
      </Fact>
      {redacted > 0 && <Fact name="Redacted">{count(redacted, 'secret')}</Fact>}
      <Fact name="Needed again">
        {followUp === null ? (
          <span class="soft">counted after 30 more requests</span>
        ) : (
          `${count(followUp.reopenedFiles, 'file')} read again, ${count(followUp.recalls, 'recall')}, ${number(followUp.names.missing.length)} names missing`
        )}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Span({ id, receipt: { covered } }: { readonly id: string; readonly receipt: Receipt }) {
  if (covered.to === covered.from) return null
  return (
    <a class="anchor" href={linkTo(id, 'messages', covered.from)}>
      {anchor(covered)}
    </a>
  )
}
