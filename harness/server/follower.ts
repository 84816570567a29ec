/** A client that follows the events of a conversation, and resumes after its last event. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Finding } from '../kernel/finding.ts'
import type { Target } from './target.ts'

export interface Follower {
  readonly id: string
  readonly count: () => number
  readonly reconnects: () => number
  run(): Promise<void>
  /** Waits for the event of the last message. */
  reaches(head: number): Promise<void>
  /** What it missed, or got twice. */
  problems(head: number): readonly Finding[]
}

interface Seen {
  readonly number: number
  readonly span: { readonly from: number; readonly to: number } | null
}

const waitMs = 10_000

export function follow(target: Target, id: string, plant?: string): Follower {
  const seen: Seen[] = []
  const ended = new AbortController()
  let last: string | null = null
  let connections = 0

  const read = async () => {
    const url = await target.url()
    const answer = await fetch(`${url}/v1/conversations/${id}/events/stream`, {
      signal: ended.signal,
      headers: {
        authorization: `Bearer ${target.key()}`,
        ...(last !== null && plant !== 'no-last-event-id' && { 'last-event-id': last }),
      },
    })
    if (!answer.ok) return
    connections += 1
    let text = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = (text + chunk).split('\n\n')
      // A frame that is cut off is not an event.
      text = frames.pop() ?? ''
      for (const frame of frames) take(frame)
    }
  }

  const take = (frame: string) => {
    const [, frameId] = /^id: (.+)$/m.exec(frame) ?? []
    const [, data] = /^data: (.+)$/m.exec(frame) ?? []
    if (frameId === undefined || data === undefined) return
    last = frameId
    const { number, span = null } = JSON.parse(data) as Seen
    seen.push({ number, span })
  }

  return {
    id,
    count: () => seen.length,
    reconnects: () => Math.max(0, connections - 1),
    run: async () => {
      while (!ended.signal.aborted) {
        await read().catch(() => {})
        await delay(5)
      }
    },
    reaches: async (head) => {
      const by = performance.now() + waitMs
      while (seen.at(-1)?.span?.to !== head && performance.now() < by) await delay(10)
      ended.abort()
    },
    problems: (head) => {
      const findings: Finding[] = []
      let at = 0
      for (const [index, { number, span }] of seen.entries()) {
        if (number !== index + 1)
          return [{ rule: 'events', detail: `${id}: event ${number} in place ${index + 1}` }]
        if (span !== null && span.from !== at)
          findings.push({ rule: 'events', detail: `${id}: messages from ${span.from}, not ${at}` })
        at = span?.to ?? at
      }
      if (at !== head)
        findings.push({ rule: 'events', detail: `${id}: ends at ${at}, not ${head}` })
      return findings
    },
  }
}
