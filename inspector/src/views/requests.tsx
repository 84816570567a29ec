/** What the model saw: the recorded requests, and one of them rebuilt, by slot, compared with the one before. */
import { useContext, useMemo, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { anchor, count, percent, short, time, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { RebuiltRequest, RequestUse } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { differenceText, omissionText, reasonText, repairText, slotText } from '../data/words.ts'
import { CopyLink } from '../parts/copy-link.tsx'
import { PromptSections, SentSlot } from '../parts/sent-message.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Explained, Term } from '../parts/term.tsx'
import { isCompaction } from '../parts/window-chart.tsx'
import { requestsOf } from './messages.tsx'

export function RequestsView({ item }: { readonly item: string }) {
  const live = useContext(CurrentConversation)
  if (live === null) return null
  const requests = requestsOf(live)
  const [newest] = requests
  if (newest === undefined)
    return (
      <Empty title="No request so far">
        A request is recorded when a program asks for a context. The last hundred are kept.
      </Empty>
    )
  const known = requests.find(({ fingerprint }) => fingerprint === item)
  const chosen = known ?? (item === '' ? newest : null)
  const before = chosen === null ? null : (requests[requests.indexOf(chosen) + 1] ?? null)
  return (
    <div class="split">
      <nav class="picker" aria-label="Requests">
        <ol>
          {requests.map((use, at) => (
            // A repeated request has the same fingerprint.
            <li key={`${use.at} ${use.fingerprint} ${at}`}>
              <a
                href={linkTo(live.data.id, 'requests', use.fingerprint)}
                aria-current={use === chosen ? 'true' : undefined}
              >
                <span>{use.head === undefined ? time(use.at) : `at #${use.head}`}</span>
                <span class="soft">{short(use.tokens)}</span>
                {isCompaction(use, requests[at + 1]) && (
                  <span class="badge state" title={reasonText(use.decision.reason)}>
                    compacted
                  </span>
                )}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <RequestOf id={live.data.id} fingerprint={chosen?.fingerprint ?? item} before={before} />
    </div>
  )
}

interface RequestProps {
  readonly id: string
  /** A link may name a request of another model, or one that was sent a moment ago. */
  readonly fingerprint: string
  readonly before: RequestUse | null
}

type Sent = RebuiltRequest['messages'][number]

function RequestOf({ id, fingerprint, before }: RequestProps) {
  const [onlyChanges, setOnlyChanges] = useState(false)
  const read = (named: string, signal: AbortSignal) =>
    call<RebuiltRequest>(pathOf(id, 'requests', named), { signal })
  const rebuilt = useLoaded(`${id} ${fingerprint}`, (signal) => read(fingerprint, signal))
  const earlier = useLoaded(`${id} before ${before?.fingerprint}`, async (signal) =>
    before === null ? null : read(before.fingerprint, signal),
  )
  const known = useMemo(() => new Set((earlier.value?.messages ?? []).map(keyOf)), [earlier.value])
  if (rebuilt.kind === 'failed' && rebuilt.error.status === 404)
    return (
      <Empty title="This request is no longer recorded">
        The last hundred requests of a conversation are kept.
      </Empty>
    )
  return (
    <section class="detail" aria-label="Request">
      <Shown of={rebuilt} rows={6}>
        {(request) => {
          const isNew = (sent: Sent) => earlier.value !== null && !known.has(keyOf(sent))
          const added = request.messages.filter(isNew)
          const gone = goneIn(request, earlier.value)
          const slots = Map.groupBy(request.messages, ({ slot }) => slot)
          const use = request.request
          return (
            <>
              <header>
                <h2>
                  {use.head === undefined
                    ? `Request of ${time(use.at)}`
                    : `Request at #${use.head}`}
                </h2>
                <p class="soft detail-note">
                  {`${time(use.at)} · model ${use.model} · ${short(use.tokens)} of ${tokens(use.availableTokens)} (${percent(use.utilization)})`}
                  <CopyLink link={linkTo(id, 'requests', use.fingerprint)} what="this request" />
                </p>
              </header>
              <Verdict request={request} />
              <Sections request={request} />
              <dl class="facts">
                <dt>Decision</dt>
                <dd>{`${decisions[use.decision.kind]}: ${reasonText(use.decision.reason)}`}</dd>
                <dt>
                  <Term name="cached prefix">Cached prefix</Term>
                </dt>
                <dd>
                  {use.brokenBy === null
                    ? before === null
                      ? 'the first one recorded'
                      : 'kept: the tokens of the request before are cached'
                    : `lost: ${reasonText(use.brokenBy)}`}
                </dd>
                <dt>Left out</dt>
                <dd>
                  <Omissions id={id} request={request} />
                </dd>
                {request.repairs.length > 0 && (
                  <>
                    <dt>Repaired</dt>
                    <dd>
                      {request.repairs
                        .map(
                          ({ kind, seq }) =>
                            `${repairText(kind)}${seq === null ? '' : ` (#${seq})`}`,
                        )
                        .join(', ')}
                    </dd>
                  </>
                )}
              </dl>
              {before !== null && earlier.value !== null && (
                <p class="diff-line">
                  <span>
                    Against the request before: <b>{count(added.length, 'message')}</b> new,{' '}
                    <b>{count(gone.length, 'message')}</b> gone.
                  </span>
                  <label class="switch">
                    <input
                      type="checkbox"
                      checked={onlyChanges}
                      onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
                    />
                    only the difference
                  </label>
                </p>
              )}
              {onlyChanges && gone.length > 0 && (
                <SentSlot
                  id={id}
                  slot="gone since the request before"
                  sent={gone}
                  markOf={() => 'gone'}
                />
              )}
              {!onlyChanges && <PromptSections request={request} />}
              {[...slots].map(([slot, sent]) => (
                <SentSlot
                  key={slot}
                  id={id}
                  slot={slotText(slot)}
                  sent={onlyChanges ? sent.filter(isNew) : sent}
                  markOf={(each) => (isNew(each) ? 'new' : null)}
                />
              ))}
            </>
          )
        }}
      </Shown>
    </section>
  )
}

const decisions: Readonly<Record<RequestUse['decision']['kind'], string>> = {
  continue: 'not compacted',
  compact: 'compacted',
  trim: 'only what would not fit was left out',
  renew: 'built anew',
}

/** Equal keys, equal messages. */
function keyOf({ seq, slot, role, parts }: Sent): string {
  return JSON.stringify([seq, seq === null ? slot : '', role, parts])
}

function goneIn(now: RebuiltRequest, before: RebuiltRequest | null): readonly Sent[] {
  const known = new Set(now.messages.map(keyOf))
  return (before?.messages ?? []).filter((sent) => !known.has(keyOf(sent)))
}

function Verdict({ request: { difference, request } }: { readonly request: RebuiltRequest }) {
  if (difference === null)
    return (
      <p class="verdict is-equal">
        <b>Byte for byte what was sent.</b>{' '}
        <span class="soft">
          Rebuilt from the stored messages; its hash <code>{request.fingerprint.slice(0, 12)}</code>{' '}
          is the one recorded then.
        </span>
      </p>
    )
  return (
    <p class="verdict is-different" role="note">
      <b>Not exactly what was sent.</b> <span>{differenceText(difference)}</span>
    </p>
  )
}

/** One bar, in the order in which the slots are sent. */
function Sections({ request: { sections, suppliedTokens } }: { readonly request: RebuiltRequest }) {
  const all = [
    ...(suppliedTokens > 0
      ? [{ kind: 'missing', name: 'no longer stored', tokens: suppliedTokens }]
      : []),
    ...sections.map(({ kind, tokens: used }) => ({ kind, name: slotText(kind), tokens: used })),
  ]
  const total = all.reduce((sum, each) => sum + each.tokens, 0)
  if (total === 0) return null
  return (
    <table class="slots">
      <caption class="hidden">Tokens by slot</caption>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col">
            <span class="hidden">Share</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ kind, name, tokens: used }) => (
          <tr key={kind}>
            <th scope="row">
              <Explained name={name} />
            </th>
            <td class="number">{short(used)}</td>
            <td class="share">
              <span
                class={`share-bar slot-${kind}`}
                style={{ width: `${(used / total) * 100}%` }}
              />
              <span class="soft">{percent(used / total)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Omissions({
  id,
  request: { omitted },
}: {
  readonly id: string
  readonly request: RebuiltRequest
}) {
  if (omitted.length === 0) return <>nothing: every message is shown whole</>
  return (
    <ul class="plain">
      {omitted.map(({ span, why, tokens: hidden }) => (
        <li key={`${span?.from} ${why}`}>
          {span === null ? (
            'a text of the program'
          ) : (
            <a class="anchor" href={linkTo(id, 'messages', span.from)}>
              {anchor(span)}
            </a>
          )}
          {span !== null &&
            span.to - span.from > 1 &&
            ` (${count(span.to - span.from, 'message')})`}{' '}
          <span class="soft">
            {omissionText(why)}
            {hidden !== null && `, ${tokens(hidden)} not shown`}
          </span>
        </li>
      ))}
    </ul>
  )
}
