/** Whether requests that extend the client's previous one extend what the upstream got before, and if not, why. */
import type { ApiName } from '../gateway/scripted-upstream.ts'
import { sentItems } from '../gateway/sent-items.ts'
import { numberHeader, type TappedCall } from './tap.ts'

interface SentCall {
  readonly api: ApiName | null
  readonly status: number
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface Prefixes {
  /** Requests that extend the client's previous one and what was sent before. */
  readonly kept: number
  /** Those that do not, by cause. */
  readonly lost: Readonly<Record<'compaction' | 'model', number>>
  readonly unexplained: readonly string[]
}

interface Sent {
  readonly asked: readonly string[]
  readonly sent: readonly string[]
  readonly epoch: string
  readonly model: string
}

const turnClasses = /class=(?:new|child|continue|edit|regenerate|after-client-compaction)/

export function comparePrefixes(
  tapped: readonly TappedCall[],
  upstream: readonly SentCall[],
): Prefixes {
  const byNumber = new Map(upstream.map((call) => [String(call.headers[numberHeader]), call]))
  const last = new Map<string, Sent>()
  const unexplained: string[] = []
  const lost = { compaction: 0, model: 0 }
  let kept = 0
  for (const call of tapped.toSorted((left, right) => left.number - right.number)) {
    const { number, decision, conversation, body } = call
    const arrived = byNumber.get(String(number))
    if (!turnClasses.test(decision) || !arrived?.api || arrived.status !== 200) continue
    const asked = sentItems(body.toString(), arrived.api)
    const [, epoch = ''] = /epoch=(\d+)/.exec(decision) ?? []
    const sent = sentItems(arrived.body.toString(), arrived.api)
    const model = modelOf(call)
    const before = last.get(conversation)
    last.set(conversation, { asked, sent, epoch, model })
    if (before === undefined || !begins(asked, before.asked)) continue
    if (begins(sent, before.sent)) kept += 1
    else if (before.model !== model) lost.model += 1
    else if (before.epoch !== epoch) lost.compaction += 1
    else unexplained.push(`request ${number} of ${conversation}: ${decision}`)
  }
  return { kept, lost, unexplained }
}

function modelOf({ path, body }: TappedCall): string {
  return /models\/[^:]*/.exec(path)?.[0] ?? /"model":"[^"]*"/.exec(body.toString())?.[0] ?? ''
}

function begins(items: readonly string[], before: readonly string[]): boolean {
  return before.every((item, index) => items[index] === item)
}
