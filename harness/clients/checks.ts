/** What a session through the gateway must show. */
import { type Message, originPieces } from 'throughline'
import type { StartedGateway } from '../gateway/started-gateway.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'
import { comparePrefixes } from './prefixes.ts'
import { brokenSeals, hintProblems } from './sealed-blocks.ts'
import type { TurnDone } from './session.ts'
import type { StartedSession } from './started-session.ts'
import { agentPrompt } from './tool-calls.ts'

interface SessionFindings {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

export async function checkSession(
  client: CodingAgentName,
  session: StartedSession,
  turns: readonly TurnDone[],
): Promise<SessionFindings> {
  const { gateway } = session
  const atService = checkService(session, turns)
  const inMemory =
    gateway === null ? noFindings : await checkMemory(client, { ...session, gateway }, turns)
  const findings = [...atService.findings, ...inMemory.findings].map(({ rule, detail }) => ({
    rule,
    detail: `${client}: ${detail}`,
  }))
  return { findings, figures: { ...atService.figures, ...inMemory.figures } }
}

const noFindings: SessionFindings = { findings: [], figures: {} }

/** What the service got, with or without a gateway. */
function checkService(
  { upstream, tap, model }: StartedSession,
  turns: readonly TurnDone[],
): SessionFindings {
  const findings: Finding[] = []
  const add = (rule: string, detail: string) => findings.push({ rule, detail })
  const calls = upstream.calls.filter(({ api }) => api !== null)
  const refused = calls.filter(({ status }) => status >= 400)
  for (const { answer, path } of refused)
    add('refused', `${path}: ${answer.toString().slice(0, 200)}`)
  const failed = tap.calls.filter(({ status }) => status >= 400 && status !== 426 && status !== 404)
  for (const { status, path, decision } of failed) add('failed', `${status} ${path} ${decision}`)
  for (const { play, status, steps, isInterrupted, output } of turns)
    if (status !== 0 && !isInterrupted)
      add('turn', `turn ${play} (${steps}) ended with ${status}: ${output.slice(-200)}`)
  for (const detail of model.misplaced) add('results', detail)
  for (const detail of [...brokenSeals(calls), ...hintProblems(calls)]) add('bytes', detail)
  const { agents, calls: called, asides, summaries } = model
  return {
    findings,
    figures: {
      ...{ requests: calls.length, refused: refused.length, turns: turns.length, agents },
      ...{ calls: called, asides: asides.length, summaries: summaries.length },
    },
  }
}

async function checkMemory(
  client: CodingAgentName,
  { gateway, tap, model }: StartedSession & { readonly gateway: StartedGateway },
  turns: readonly TurnDone[],
): Promise<SessionFindings> {
  const findings: Finding[] = []
  const add = (rule: string, detail: string) => findings.push({ rule, detail })
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
  if (summarized < asked) add('compaction', `${summarized} times, asked for ${asked}`)
  if (summarized > 0 && classes['after-client-compaction'] === undefined)
    add('compaction', 'no request followed it')
  for (const id of conversations) {
    const text = JSON.stringify(await gateway.messages(id))
    for (const aside of model.asides)
      if (text.includes(aside)) add('side-request', `${id} has "${aside}"`)
  }
  const typed = new Set(turns.map(({ prompt }) => codingAgents[client].spells(prompt)))
  const { namesAgents } = codingAgents[client]
  const isOfModel = (words: string) => !namesAgents && words.startsWith(agentPrompt)
  for (const words of await typedWords(conversations, gateway))
    if (!typed.delete(words) && !isOfModel(words))
      add('typed', `nobody typed "${words.slice(0, 160)}"`)
  for (const prompt of typed)
    if (prompt.includes('[[play')) add('lost', `no log has the prompt "${prompt}"`)
  const { kept, lost, unexplained } = comparePrefixes(tap.calls, gateway.upstream.calls)
  for (const detail of unexplained) add('prefix', detail)
  const compacted = tap.calls.filter(({ decision }) => decision.includes('action=compacted')).length
  return {
    findings,
    figures: {
      ...{ compacted, conversations: conversations.length, 'prefixes kept': kept },
      ...{ 'lost by a compaction': lost.compaction, 'lost by another model': lost.model },
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
  { get }: StartedGateway,
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
