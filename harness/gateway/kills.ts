/**
 * Kills a gateway under load, again and again, on one folder. What a client saw to its end is in the log, and so is
 * every question that has reached the upstream.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seededFractions } from '../kernel/chance.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { startGatewayChild } from './child.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'

export interface KillReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'kills' | 'acknowledged' | 'reached' | 'lost'>
}

interface Client {
  readonly conversation: string
  readonly acknowledged: readonly string[]
  stop(): Promise<void>
}

export async function runGatewayKills({
  kills,
  seed,
  clients: count = 4,
}: {
  readonly kills: number
  readonly seed: number
  readonly clients?: number
}): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-gateway-kill-'))
  const random = seededFractions(seed)
  const reached = new Set<string>()
  const upstream = await startScriptedUpstream({
    onRequest: (body) => {
      const [question] =
        body
          .toString()
          .match(/question-[\w-]+(?="[^"]*$|"\}\])/g)
          ?.slice(-1) ?? []
      if (question !== undefined) reached.add(question)
    },
    answer: (number) => ({ text: `The answer of the number ${number} is a sentence.` }),
  })
  let key = ''
  let address = ''
  const start = async () => {
    const child = await startGatewayChild('gateway-child.ts', folder, upstream.url)
    key ||= child.firstKey ?? ''
    address = child.url
    return child
  }
  const findings: Finding[] = []
  try {
    let child = await start()
    const target = () => ({ url: address, key })
    const clients = Array.from({ length: count }, (_, number) =>
      startClient(`kill-${number}`, target),
    )
    for (let kill = 0; kill < kills; kill += 1) {
      await delay(100 + random() * 300)
      await child.kill()
      child = await start()
    }
    await Promise.all(clients.map((client) => client.stop()))
    const acknowledged = clients.flatMap((client) => client.acknowledged)
    const stored = await storedTexts(target())
    const lost = [...acknowledged, ...reached].filter((text) => !stored.includes(text))
    for (const text of lost) findings.push({ rule: 'lost', detail: `${text} is not in the log` })
    await child.kill()
    const figures = {
      kills,
      acknowledged: acknowledged.length,
      reached: reached.size,
      lost: lost.length,
    }
    return { findings, figures }
  } finally {
    await upstream.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function startClient(
  conversation: string,
  target: () => { readonly url: string; readonly key: string },
): Client {
  const acknowledged: string[] = []
  const history: object[] = []
  let isStopped = false
  const run = async () => {
    for (let number = 0; !isStopped; number += 1) {
      const question = `question-${conversation}-${number}`
      const messages = [...history, { role: 'user', content: question }]
      try {
        const { url, key } = target()
        const response = await fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', authorization: 'Bearer own' },
            ...{ 'x-throughline-key': key, 'x-throughline-conversation': conversation },
          },
          body: JSON.stringify({ model: 'small', messages }),
        })
        const { choices } = (await response.json()) as {
          choices?: { message: { content: string } }[]
        }
        const answer = choices?.[0]?.message
        if (answer === undefined) throw new Error('no answer')
        history.push(
          { role: 'user', content: question },
          { role: 'assistant', content: answer.content },
        )
        acknowledged.push(question, answer.content)
      } catch {
        await delay(20)
      }
    }
  }
  const running = run()
  return {
    ...{ conversation, acknowledged },
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

/** Of all conversations: a request that was repeated may have made a fork. */
async function storedTexts({
  url,
  key,
}: {
  readonly url: string
  readonly key: string
}): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const listed = await fetch(`${url}/v1/conversations?limit=1000`, { headers })
  const { items } = (await listed.json()) as { items: { id: string }[] }
  const texts: string[] = []
  for (const { id } of items)
    for (let cursor = ''; ; ) {
      const path = `/v1/conversations/${encodeURIComponent(id)}/messages?limit=1000${cursor}`
      const page = (await (await fetch(url + path, { headers })).json()) as {
        readonly items: readonly unknown[]
        readonly next: string | null
      }
      texts.push(JSON.stringify(page.items))
      if (page.next === null) break
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  return texts.join('\n')
}
