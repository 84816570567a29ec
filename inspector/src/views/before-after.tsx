/** The requests before and after a compaction, side by side. */
import { call, pathOf } from '../data/api.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { anchor, count, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { RebuiltRequest, Receipt, RequestUse } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { slotText } from '../data/words.ts'
import { SentMessage } from '../parts/sent-message.tsx'
import { Shown } from '../parts/states.tsx'
import { Explained } from '../parts/term.tsx'

interface PairProps {
  readonly live: LiveConversation
  readonly receipt: Receipt
}

/** The last request before and the first after, where they are still recorded. */
export function BeforeAfter({ live, receipt }: PairProps) {
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
                  <li key={kind}>
                    <Explained name={slotText(kind)} />
                    {`: ${tokens(used)}`}
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <>
              <p class="soft">{explanation(earlier.request, later.request, receipt)}</p>
              <div class="sides">
                <Side id={id} title="Last request before" request={earlier} />
                <Side id={id} title="First request after" request={later} />
              </div>
            </>
          )
        }
      </Shown>
    </section>
  )
}

/** Why the size before the compaction is not that of the request before. */
function explanation(before: RequestUse, after: RequestUse, { tokensBefore }: Receipt): string {
  const { head: from = 0 } = before
  const { head: to = 0 } = after
  const arrived = to > from ? `After it, ${anchor({ from, to })} arrived. ` : ''
  // Where it is not known, it is the size of the request before.
  const without =
    tokensBefore === null || tokensBefore === before.tokens
      ? ''
      : ` instead of the ${tokens(tokensBefore)} that it would have had otherwise`
  return `The request before had ${tokens(before.tokens)}. ${arrived}The next request has ${tokens(after.tokens)}${without}.`
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
      {promptTokens > 0 && (
        <p class="side-prompt">
          <span>system prompt and tools</span> <span class="soft">{tokens(promptTokens)}</span>
        </p>
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
