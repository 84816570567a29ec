/**
 * Answers that are cut at random places: before the first byte, between events, inside one, after the last. The
 * question is in the log in any case, and half an answer is never marked as complete.
 */
import { seededFractions } from '../kernel/chance.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { startGateway } from './started-gateway.ts'
import { wireAnswers } from './wire-answers.ts'

export interface CutReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'cuts' | 'lost' | 'halves' | 'complete' | 'incomplete'>
}

const paths = {
  anthropic: '/v1/messages',
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  gemini: '/v1beta/models/small:streamGenerateContent?alt=sse',
} as const

type Api = keyof typeof paths
const apis: readonly Api[] = ['anthropic', 'chat', 'responses', 'gemini']

const words = (number: number) => `The answer to question ${number} has two halves of words.`

export async function runCuts({
  cuts,
  seed,
}: {
  readonly cuts: number
  readonly seed: number
}): Promise<CutReport> {
  const random = seededFractions(seed)
  const places = Array.from({ length: cuts }, (_, number) => {
    const api = apis[number % apis.length] ?? 'chat'
    const given = { number, tokens: 100, isStream: true }
    const whole = wireAnswers[api]({ text: words(number) }, given).byteLength
    // One of ten is cut before the first byte, and one after the last.
    const kind = random()
    return kind < 0.1 ? 0 : kind > 0.9 ? whole : Math.floor(random() * whole)
  })
  const gateway = await startGateway({
    answer: (number) => ({ text: words(number) }),
    cutAfter: (number) => places[number] ?? 0,
  })
  const findings: Finding[] = []
  const figures = { cuts, lost: 0, halves: 0, complete: 0, incomplete: 0 }
  try {
    for (let number = 0; number < cuts; number += 1) {
      const api = apis[number % apis.length] ?? 'chat'
      const sent = await ask(gateway, api, number)
      const stored = await gateway.messages(`cut-${number}`)
      const where = `${api} after ${places[number]} bytes`
      if (gateway.upstream.calls[number]?.answer.toString().startsWith(sent.text) !== true)
        findings.push({ rule: 'bytes', detail: `${where}: the client got other bytes` })
      const question = stored.find(({ role }) => role === 'user')
      if (question?.parts[0]?.text !== `Question ${number}`) {
        figures.lost += 1
        findings.push({ rule: 'lost', detail: `${where}: the question is not stored` })
      }
      for (const { role, status, parts } of stored) {
        if (role !== 'assistant') continue
        figures[status === 'complete' ? 'complete' : 'incomplete'] += 1
        const text = parts.map((part) => part.text ?? '').join('')
        if (status !== 'complete' || text === words(number)) continue
        figures.halves += 1
        findings.push({ rule: 'half', detail: `${where}: "${text}" is marked as complete` })
      }
      const isAnswered = stored.some(
        ({ role, status }) => role === 'assistant' && status === 'complete',
      )
      if (sent.hasEnd && !isAnswered)
        findings.push({
          rule: 'end',
          detail: `${where}: the client saw the end, the log has no answer`,
        })
    }
  } finally {
    await gateway.stop()
  }
  return { findings, figures }
}

async function ask(
  { url, key }: { readonly url: string; readonly key: string },
  api: Api,
  number: number,
): Promise<{ readonly hasEnd: boolean; readonly text: string }> {
  const content = `Question ${number}`
  const body =
    api === 'gemini'
      ? { contents: [{ role: 'user', parts: [{ text: content }] }] }
      : {
          ...{ model: 'small', stream: true },
          ...(api === 'anthropic' && { max_tokens: 100 }),
          [api === 'responses' ? 'input' : 'messages']: [{ role: 'user', content }],
        }
  const response = await fetch(url + paths[api], {
    method: 'POST',
    headers: {
      ...{
        'content-type': 'application/json',
        authorization: 'Bearer own',
        'x-throughline-key': key,
      },
      'x-throughline-conversation': `cut-${number}`,
    },
    body: JSON.stringify(body),
  })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    // The answer was cut.
  }
  return {
    text,
    hasEnd: /"type":"message_stop"\}\n\n|\[DONE\]\n\n|"type":"response.completed".*\n\n/.test(text),
  }
}
