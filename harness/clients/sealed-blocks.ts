/** What must pass in its own bytes: signed reasoning, and hints for the prompt cache. */
import type { ScriptedUpstream } from '../gateway/scripted-upstream.ts'
import { type Fields, listOf } from './sent-request.ts'

type Calls = ScriptedUpstream['calls']

/** Signed reasoning that the upstream did not write so. */
export function brokenSeals(calls: Calls): readonly string[] {
  const written = new Set<string>()
  const broken: string[] = []
  for (const { api, body, answer, status } of calls) {
    if (status !== 200 || api !== 'anthropic') continue
    for (const block of blocksOf(body.toString())) {
      const { type, thinking, signature } = block
      if (type === 'thinking' && !written.has(`${signature} ${thinking}`))
        broken.push(`the upstream did not write the reasoning "${thinking}"`)
    }
    const text = answer.toString()
    const thought = /"thinking_delta","thinking":"([^"]*)"/.exec(text)?.[1]
    const seal = /"signature_delta","signature":"([^"]*)"/.exec(text)?.[1]
    if (thought !== undefined) written.add(`${seal} ${thought}`)
  }
  return broken
}

const hintsAtMost = 4

/** Requests with more hints than the service takes. */
export function hintProblems(calls: Calls): readonly string[] {
  return calls.flatMap(({ api, body }, at) => {
    const hints = api === 'anthropic' ? body.toString().split('"cache_control":{').length - 1 : 0
    return hints > hintsAtMost ? [`request ${at} has ${hints} cache hints`] : []
  })
}

function blocksOf(text: string): readonly Fields[] {
  const { messages } = JSON.parse(text) as Fields
  return listOf(messages).flatMap(({ content }) => listOf(content))
}
