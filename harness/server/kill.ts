/**
 * Kills a server with SIGKILL while clients write and follow events, again and again, on one folder. Clients
 * send a request again with its Idempotency-Key until it is answered. At the end: every acknowledged message
 * is there, each once; streams had every event once; and repeated requests got the same answer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seededFractions } from '../kernel/chance.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import type { PlantedBug } from '../kernel/planted.ts'
import { startChild } from './child-server.ts'
import { type Follower, follow } from './follower.ts'
import { conversations, type Target } from './target.ts'
import { createWriter, type Writer } from './writer.ts'

interface KillOptions {
  readonly kills: number
  readonly seed: number
  /** A mistake of the clients, which must be found. */
  readonly plant?: 'new-key' | 'no-last-event-id' | undefined
  readonly writers?: number
}

interface KillReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<
    'kills' | 'messages' | 'retries' | 'repeats' | 'unknown' | 'events' | 'reconnects'
  >
}

export async function runKills({
  kills,
  seed,
  plant,
  writers = 6,
}: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-kill-'))
  const random = seededFractions(seed)
  let key = ''
  let isOver = false
  let url: string | null = null
  const target: Target = {
    key: () => key,
    isOver: () => isOver,
    url: async () => {
      while (url === null) await delay(5)
      return url
    },
  }
  const all: Writer[] = []
  const followers: Follower[] = []
  const running: Promise<void>[] = []
  try {
    for (let kill = 0; kill <= kills; kill += 1) {
      const server = await startChild(folder)
      key = server.firstKey ?? key
      url = server.url
      if (kill === 0) {
        for (let at = 0; at < writers; at += 1)
          all.push(createWriter(target, { name: `w${at}`, random, plant }))
        for (const id of conversations) followers.push(follow(target, id, plant))
        running.push(...all.map(({ run }) => run()), ...followers.map(({ run }) => run()))
      }
      await delay(100 + random() * 600)
      if (kill < kills) {
        url = null
        await server.kill()
      } else {
        isOver = true
        await Promise.all(all.map(({ finished }) => finished()))
        const audited = await audit(target, all, followers)
        await Promise.all(running)
        await server.kill()
        return { ...audited, figures: { kills, ...audited.figures } }
      }
    }
    throw new Error('unreachable')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Listed {
  readonly seq: number
  readonly parts: readonly { readonly text?: string }[]
}

async function audit(target: Target, writers: readonly Writer[], followers: readonly Follower[]) {
  const findings: Finding[] = writers.flatMap(({ findings: own }) => own)
  const url = await target.url()
  const headers = { authorization: `Bearer ${target.key()}` }
  const get = async (path: string) =>
    (await fetch(`${url}/v1/conversations/${path}`, { headers })).json()
  let messages = 0
  const texts = new Map<string, number>()
  for (const id of conversations) {
    // Without a message there is no conversation.
    const { head = 0 } = (await get(id)) as { readonly head?: number }
    for (let from = 0; from < head; from += 1000) {
      const page = (await get(`${id}/messages?from=${from}&limit=1000`)) as {
        readonly items: readonly Listed[]
      }
      for (const [at, { seq, parts }] of page.items.entries()) {
        messages += 1
        if (seq !== from + at)
          findings.push({ rule: 'order', detail: `${id}: ${seq} at ${from + at}` })
        const text = `${id} ${parts[0]?.text}`
        texts.set(text, (texts.get(text) ?? 0) + 1)
      }
    }
    const follower = followers.find((each) => each.id === id)
    await follower?.reaches(head)
    findings.push(...(follower?.problems(head) ?? []))
  }
  for (const { acknowledged } of writers)
    for (const text of acknowledged)
      if (!texts.has(text)) findings.push({ rule: 'lost', detail: text })
  for (const [text, times] of texts)
    if (times > 1) findings.push({ rule: 'twice', detail: `${text}: ${times} times` })
  const sum = (name: 'retries' | 'repeats' | 'unknown') =>
    writers.reduce((total, writer) => total + writer.figures[name], 0)
  return {
    findings,
    figures: {
      ...{ messages, retries: sum('retries'), repeats: sum('repeats'), unknown: sum('unknown') },
      events: followers.reduce((total, { count }) => total + count(), 0),
      reconnects: followers.reduce((total, { reconnects }) => total + reconnects(), 0),
    },
  }
}

const mistakes = [
  { plant: 'new-key', rule: 'twice', bug: 'a client that retries with another Idempotency-Key' },
  {
    plant: 'no-last-event-id',
    rule: 'events',
    bug: 'a client that reconnects without Last-Event-ID',
  },
] as const

export const plantedKills: readonly PlantedBug[] = mistakes.map(({ plant, rule, bug }) => ({
  ...{ bug, rule },
  find: async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const { findings } = await runKills({ kills: 2, seed, plant, writers: 12 })
      if (findings.some((each) => each.rule === rule)) return findings
    }
    return []
  },
}))
