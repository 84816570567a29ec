/** What requests cost: cached and new tokens, lost prefixes, and the price of other methods. */
import { useContext } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { count, number, percent, short, time, tokens } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import type { Costs, MethodCost, RequestCost } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { reasonText } from '../data/words.ts'
import { Empty, Shown } from '../parts/states.tsx'
import { Wide } from '../parts/wide.tsx'

export function CostView() {
  const live = useContext(CurrentConversation)
  const id = live?.data.id ?? ''
  const costs = useLoaded(
    `costs ${id}`,
    (signal) => call<Costs>(pathOf(id, 'costs'), { signal }),
    live?.stamp,
  )
  return (
    <div class="column">
      <Shown of={costs} rows={6}>
        {({ items, totals }) =>
          items.length === 0 ? (
            <Empty title="No request so far">Costs are counted for requests to a model.</Empty>
          ) : (
            <>
              <Methods totals={totals} requests={items.length} />
              <Breaks items={items} />
              <section>
                <h2>Tokens per request</h2>
                <p class="legend">
                  <span>
                    <i class="key key-cached" aria-hidden="true" /> cached: the prefix of the
                    request before
                  </span>
                  <span>
                    <i class="key key-fresh" aria-hidden="true" /> new, and written to the cache
                  </span>
                  <span>
                    <i class="key key-broken" aria-hidden="true" /> all new: the prefix was lost
                  </span>
                </p>
                <Bars id={id} items={items} />
              </section>
            </>
          )
        }
      </Shown>
    </div>
  )
}

function Methods({
  totals,
  requests,
}: {
  readonly totals: Costs['totals']
  readonly requests: number
}) {
  const rows: readonly (readonly [string, MethodCost | null])[] = [
    ['Throughline', totals.throughline],
    ['sliding window', totals.sliding],
    ['full history', totals.full],
  ]
  const most = Math.max(...rows.map(([, method]) => method?.cost ?? 0))
  return (
    <section>
      <h2>{`The last ${count(requests, 'request')}`}</h2>
      <Comparison totals={totals} />
      <p class="soft">
        A cost unit is the price of one uncached input token; a cached token costs 0.1. Computed
        from what was sent, not from the bill of a provider; replies are the same for every method.
      </p>
      <Wide label="Methods">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Cost units</th>
              <th scope="col" class="number">
                Tokens sent
              </th>
              <th scope="col" class="number">
                Prefix lost
              </th>
              <th scope="col">Fits the window</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, method]) => (
              <tr key={name} class={name === 'Throughline' ? 'is-current' : ''}>
                <th scope="row">{name}</th>
                {method === null ? (
                  <td colSpan={4} class="soft">
                    not computed: the log has more than 5,000 messages
                  </td>
                ) : (
                  <>
                    <td class="share">
                      <span
                        class="share-bar slot-recent"
                        style={{ width: `${(method.cost / most) * 60}%` }}
                      />
                      <span>{short(method.cost)}</span>
                    </td>
                    <td class="number">{short(method.sentTokens)}</td>
                    <td class="number">{`${number(method.breaks)} ×`}</td>
                    <td>
                      {method.tooLarge === 0
                        ? 'yes'
                        : `no: ${count(method.tooLarge, 'request')} too large`}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </section>
  )
}

/** In one sentence, what the table says. */
function Comparison({
  totals: { throughline, sliding, full },
}: {
  readonly totals: Costs['totals']
}) {
  if (sliding === null || full === null) return null
  const against = (other: MethodCost, name: string) => {
    const ratio = 1 - throughline.cost / Math.max(1, other.cost)
    return `${percent(Math.abs(ratio))} ${ratio < 0 ? 'more' : 'less'} than ${name}`
  }
  const refused =
    full.tooLarge === 0 ? '' : `, of which ${count(full.tooLarge, 'request')} would not fit`
  return (
    <p class="lead-figure">
      {`${against(sliding, 'a sliding window')}, and ${against(full, 'the full history')}${refused}.`}
    </p>
  )
}

function Breaks({ items }: { readonly items: readonly RequestCost[] }) {
  const broken = items.filter(({ brokenBy }) => brokenBy !== null)
  const causes = [...Map.groupBy(broken, ({ brokenBy }) => brokenBy)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  return (
    <section>
      <h2>Lost prefixes</h2>
      {causes.length === 0 ? (
        <p>None: every request extends the one before.</p>
      ) : (
        <ul class="plain">
          {causes.map(([cause, lost]) => (
            <li key={cause}>
              <b>{`${lost.length} ×`}</b> {reasonText(cause)}{' '}
              <span class="soft">
                {`${tokens(lost.reduce((sum, each) => sum + each.tokens, 0))} sent at the full price; ${percent(lost.length / items.length)} of requests`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const [height, gap] = [150, 0.18]

function Bars({ id, items }: { readonly id: string; readonly items: readonly RequestCost[] }) {
  const most = Math.max(...items.map(({ tokens: used }) => used))
  const y = (value: number) => (value / most) * height
  return (
    <>
      <svg
        class="bars"
        viewBox={`0 0 ${items.length} ${height + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Tokens of ${count(items.length, 'request')}: the table below has the figures`}
      >
        {items.map(({ at, cachedTokens, freshTokens, brokenBy }, index) => (
          <g key={index}>
            <title>{`${time(at)}: ${short(cachedTokens)} cached, ${tokens(freshTokens)} new`}</title>

            <rect
              class="bar-cached"
              x={index + gap / 2}
              width={1 - gap}
              y={height - y(cachedTokens)}
              height={y(cachedTokens)}
            />
            <rect
              class={brokenBy === null ? 'bar-fresh' : 'bar-broken'}
              x={index + gap / 2}
              width={1 - gap}
              y={height - y(cachedTokens + freshTokens)}
              height={y(freshTokens)}
            />
          </g>
        ))}
      </svg>
      <details class="fold">
        <summary>
          <span class="fold-name">Figures</span>
          <span class="fold-size">{count(items.length, 'row')}</span>
        </summary>
        <Wide label="Figures of the requests">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Request</th>
                <th scope="col" class="number">
                  Cached
                </th>
                <th scope="col" class="number">
                  New
                </th>
                <th scope="col">Prefix</th>
              </tr>
            </thead>
            <tbody>
              {items
                .toReversed()
                .map(({ at, head, fingerprint, cachedTokens, freshTokens, brokenBy }, index) => (
                  <tr key={index}>
                    <td>
                      <a href={linkTo(id, 'requests', fingerprint)}>
                        {head === null ? time(at) : `at #${head}`}
                      </a>
                    </td>
                    <td class="number">{short(cachedTokens)}</td>
                    <td class="number">{short(freshTokens)}</td>
                    <td>{brokenBy === null ? 'kept' : `lost: ${reasonText(brokenBy)}`}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Wide>
      </details>
    </>
  )
}
