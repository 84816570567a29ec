/** Everything that changed what a model sees, newest first, with a way back to each state. */
import { call, pathOf } from '../data/api.ts'
import { undoneVersions } from '../data/compaction-status.ts'
import type { LiveConversation } from '../data/conversation.ts'
import { short, time } from '../data/format.ts'
import type { ViewVersion } from '../data/types.ts'
import { reasonText } from '../data/words.ts'
import { Action } from '../parts/action.tsx'
import { Wide } from '../parts/wide.tsx'

export function History({ live }: { readonly live: LiveConversation }) {
  const { id, versions, models } = live.data
  if (versions.length === 0) return null
  const undone = undoneVersions(versions)
  const restore = async (version: number) => {
    await call(pathOf(id, 'compactions', 'restore'), { method: 'POST', body: { version } })
    live.refresh()
    return 'Done: the next request shows this state again.'
  }
  return (
    <section>
      <h2>History</h2>
      <p class="soft">
        Every change of what the model sees. Going back changes no message, and is itself a row that
        you can go back from.
      </p>
      <Wide label="History">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">When</th>
              {models.length > 1 && <th scope="col">Model</th>}
              <th scope="col">What happened</th>
              <th scope="col">Compacted</th>
              <th scope="col" class="number">
                Tokens then
              </th>
              <th scope="col">
                <span class="hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((each) => {
              const { version, at, line, tokens, current, model } = each
              return (
                <tr key={version} class={current ? 'is-current' : ''}>
                  <td>{time(at)}</td>
                  {models.length > 1 && <td>{model}</td>}
                  <td>
                    {whatHappened(each, versions)}{' '}
                    {undone.has(version) && <span class="badge warn">undone</span>}
                  </td>
                  <td>{line === 0 ? 'nothing' : line === 1 ? '#0' : `#0–#${line - 1}`}</td>
                  <td class="number">{tokens === 0 ? '' : short(tokens)}</td>
                  <td class="number">
                    {current ? (
                      <span class="badge state">in use</span>
                    ) : (
                      <Action
                        kind="quiet"
                        run={() => restore(version)}
                        label={`Go back to the state of ${time(at)}`}
                      >
                        Go back
                      </Action>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Wide>
    </section>
  )
}

function whatHappened({ cause, epoch, of }: ViewVersion, versions: readonly ViewVersion[]): string {
  if (cause === 'restored') {
    const original = versions.find(({ version }) => version === of)
    if (of === null) return 'a person undid every compaction'
    return original === undefined
      ? 'a person went back'
      : `a person went back to the state of ${time(original.at)}`
  }
  if (epoch === null) return 'every message was shown again'
  return compactions.has(cause ?? '') ? `compacted: ${reasonText(cause)}` : reasonText(cause)
}

/** The causes that drop messages to make room. */
const compactions: ReadonlySet<string> = new Set([
  'trigger',
  'overflow',
  'manual',
  'provider-overflow',
])
