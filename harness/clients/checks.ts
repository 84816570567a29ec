/** What a session through the gateway must show. */
import { type Message, originPieces } from 'throughline'
import type { Figures, Finding } from '../kernel/finding.ts'
import type { CodingAgentName } from './coding-agents.ts'
import type { TurnDone } from './session.ts'
import type { StartedSession } from './started-session.ts'

export async function checkSession(
  client: CodingAgentName,
  { gateway, tap, model }: StartedSession,
  turns: readonly TurnDone[],
): Promise<{ readonly findings: readonly Finding[]; readonly figures: Figures }> {
  const findings: Finding[] = []
  const add = (rule: string, detail: string) =>
    findings.push({ rule, detail: `${client}: ${detail}` })
  const calls = gateway.upstream.calls.filter(({ api }) => api !== null)
  const refused = calls.filter(({ status }) => status >= 400)
  for (const { answer, path } of refused)
    add('refused', `${path}: ${answer.toString().slice(0, 200)}`)
  const failed = tap.calls.filter(({ status }) => status >= 400 && status !== 426 && status !== 404)
  for (const { status, path, decision } of failed) add('failed', `${status} ${path} ${decision}`)
  for (const { play, status, steps, isInterrupted, output } of turns)
    if (status !== 0 && !isInterrupted)
      add('turn', `turn ${play} (${steps}) ended with ${status}: ${output.slice(-200)}`)
  for (const detail of model.misplaced) add('results', detail)
  const classes = countBy(
    tap.calls.map(({ decision }) => /class=([\w-]+)/.exec(decision)?.[1] ?? 'passed'),
  )
  const open = tap.calls.filter(({ decision }) => decision.includes('failedOpen'))
  for (const { decision } of open) add('failed-open', decision)
  const conversations = await gateway.conversations()
  if (conversations.length !== 1 + model.agents)
    add('conversations', `${conversations.length} for a session and ${model.agents} sub-agents`)
  const asked = turns.filter(({ steps }) => steps === 'compacts').length
  const summarized = classes['client-compaction'] ?? 0
  if (summarized > asked) add('compacted-itself', `${summarized} times, asked for ${asked}`)
  for (const id of conversations) {
    const text = JSON.stringify(await gateway.messages(id))
    for (const aside of model.asides)
      if (text.includes(aside)) add('side-request', `${id} has "${aside}"`)
  }
  const typed = new Set(turns.map(({ prompt }) => prompt))
  for (const words of await typedWords(conversations, gateway))
    if (!typed.delete(words)) add('typed', `nobody typed "${words.slice(0, 160)}"`)
  const compacted = tap.calls.filter(({ decision }) => decision.includes('action=compacted')).length
  return {
    findings,
    figures: {
      ...{ requests: calls.length, refused: refused.length, compacted, turns: turns.length },
      ...{
        conversations: conversations.length,
        agents: model.agents,
        calls: model.calls,
        asides: model.asides.length,
      },
      ...classes,
    },
  }
}

function countBy(names: readonly string[]): Figures {
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]),
  )
}

/** What the log of the session says that the user typed; sub-agents are asked by the model. */
async function typedWords(
  ids: readonly string[],
  { get }: StartedSession['gateway'],
): Promise<readonly string[]> {
  const words: string[] = []
  for (const id of ids) {
    const path = `/v1/conversations/${encodeURIComponent(id)}`
    const { parent } = (await get(path)) as { readonly parent: unknown }
    if (parent !== null) continue
    const { items } = (await get(`${path}/messages?origin=person&limit=1000`)) as {
      readonly items: readonly Message[]
    }
    // The answer has the strongest origin of each, which is not that of all its pieces.
    for (const message of items)
      for (const { origin, text } of originPieces({ ...message, origin: null }))
        if (origin === 'person' && text.trim() !== '') words.push(text.trim())
  }
  return words
}
