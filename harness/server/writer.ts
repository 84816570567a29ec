/** A client that writes: it sends each request again with its key until the server answers. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Finding } from '../kernel/finding.ts'
import { conversations, type Target } from './target.ts'

export interface Writer {
  /** Conversation and text of each message that the server has acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  readonly findings: readonly Finding[]
  readonly figures: Readonly<Record<'retries' | 'repeats' | 'unknown', number>>
  run(): Promise<void>
  /** Resolves when its last request is answered. */
  finished(): Promise<void>
}

interface WriterOptions {
  readonly name: string
  readonly random: () => number
  readonly plant?: string | undefined
}

interface Request {
  readonly path: string
  readonly key: string
  readonly body: object
  /** Whether the server can run it again after it was killed. */
  readonly isRepeatable: boolean
}

export function createWriter(target: Target, { name, random, plant }: WriterOptions): Writer {
  const acknowledged = new Set<string>()
  const findings: Finding[] = []
  const figures = { retries: 0, repeats: 0, unknown: 0 }
  const done = Promise.withResolvers<void>()

  const post = async ({ path, body }: Request, key: string) => {
    const answer = await fetch(`${await target.url()}/v1/${path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${target.key()}`, 'content-type': 'application/json' },
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }

  /** Until it is answered: a killed server answers nothing. */
  const untilAnswered = async (request: Request) => {
    for (let attempt = 0; ; attempt += 1) {
      const key = plant === 'new-key' ? `${request.key}-${attempt}` : request.key
      const answer = await post(request, key).catch(() => null)
      const isRunning = answer?.status === 409 && answer.text.includes('REQUEST_RUNNING')
      if (answer !== null && !isRunning && answer.status !== 503) return { answer, key, attempt }
      figures.retries += 1
      await delay(5)
    }
  }

  const write = async (request: Request) => {
    const { answer, key, attempt } = await untilAnswered(request)
    const isUnknown = answer.status === 409 && answer.text.includes('OUTCOME_UNKNOWN')
    if (isUnknown) figures.unknown += 1
    const isExpected = answer.status === 201 || (isUnknown && attempt > 0 && !request.isRepeatable)
    const where = `${request.path} ${request.key}, attempt ${attempt}`
    if (!isExpected)
      findings.push({ rule: 'answer', detail: `${where}: ${answer.status} ${answer.text}` })
    if (random() < 0.2) {
      figures.repeats += 1
      const again = (await untilAnswered({ ...request, key })).answer
      if (plant === undefined && (again.text !== answer.text || again.status !== answer.status))
        findings.push({ rule: 'repeat', detail: `${where}: ${again.text}, not ${answer.text}` })
    }
    return answer.status === 201
  }

  const run = async () => {
    for (let turn = 0; !target.isOver(); turn += 1) {
      const own = `${name}-${turn}`
      const id = conversations[turn % conversations.length]
      const texts = [`${own} asks`, `${own} answers`]
      const messages = texts.map((content) => ({ role: 'user', content }))
      const path = `conversations/${id}/messages`
      if (await write({ path, key: own, body: { messages }, isRepeatable: true }))
        for (const text of texts) acknowledged.add(`${id} ${text}`)
      if (turn % 5 === 0)
        await write({
          ...{ path: 'conversations', key: `create-${own}`, isRepeatable: false },
          body: { id: own, title: own },
        })
    }
    done.resolve()
  }
  return { acknowledged, findings, figures, run, finished: () => done.promise }
}
