/**
 * A scripted model that searches its own past over MCP. A prompt says how often and for whom, `[[recall 8 in zirkon]]`;
 * each search asks for words that the prompts of all sessions have.
 */
import { type Fields, type ListedTool, listedTools, sentRequest } from '../clients/sent-request.ts'
import type { ApiName } from '../gateway/scripted-upstream.ts'
import { callId, type ScriptedAnswer, type ScriptedCall } from '../gateway/wire-answers.ts'

/** What a session got from a search. */
interface Found {
  readonly session: string
  readonly text: string
}

export interface RecallingModel {
  answer(number: number, body: Fields, api: ApiName): ScriptedAnswer
  readonly found: readonly Found[]
  /** The names of all tools that requests listed. */
  readonly listed: ReadonlySet<string>
}

export const toolNames = [
  ...['recall', 'expand', 'pin', 'note', 'status', 'compact', 'list_conversations'],
] as const

/** In one answer; `callId` has no more. */
const callsAtOnce = 4
const waitsAtMost = 20

const form = /\[\[recall (\d+) in (\w+)\]\]/g

export function recallPrompt(session: string, stage: number, searches: number): string {
  return `The codeword of stage ${stage} is ${session}-${stage}. [[recall ${searches} in ${session}]]`
}

export function recallingModel(): RecallingModel {
  const found: Found[] = []
  const listed = new Set<string>()
  const remaining = new Map<string, number>()
  /** The sessions of calls, by the ids of the calls; null for calls of other tools. */
  const callers = new Map<string, { readonly session: string; readonly isSearch: boolean }>()
  const hasFoundTool = new Set<string>()
  const waits = new Map<string, number>()
  const recallWith = (session: string, tool: ListedTool, number: number): ScriptedAnswer => {
    const left = remaining.get(session) ?? 0
    const count = Math.min(left, callsAtOnce)
    if (count === 0) return { text: `Done, in answer ${number}.` }
    remaining.set(session, left - count)
    for (let at = 0; at < count; at += 1)
      callers.set(callId(number, at), { session, isSearch: true })
    const { name, namespace } = tool
    const input = { query: 'codeword of the stage', limit: 3 }
    const call = { name, input, ...(namespace !== undefined && { namespace }) }
    return { text: `I search, ${number}.`, calls: Array.from({ length: count }, () => call) }
  }
  return {
    ...{ found, listed },
    answer: (number, body, api) => {
      const { last } = sentRequest(body, api)
      const tools = listedTools(body, api)
      for (const { name } of tools) listed.add(name.replace(/^mcp__probe__/, ''))
      const [, asked, prompted] = [...last.text.matchAll(form)].at(-1) ?? []
      if (prompted !== undefined) {
        remaining.set(prompted, Number(asked))
        // A turn is another process of the client, which has to list them again.
        hasFoundTool.delete(prompted)
        waits.delete(prompted)
      }
      const answered = last.results.flatMap(({ id, text }) => {
        const caller = callers.get(id)
        return caller === undefined ? [] : [{ ...caller, text }]
      })
      found.push(...answered.filter(({ isSearch }) => isSearch))
      const session = prompted ?? answered[0]?.session
      // Without tools, a client asks for a title.
      if (session === undefined || tools.length === 0) return { text: `aside ${number}` }
      const recall = tools.find(({ name }) => /(?:^|__)recall$/.test(name))
      if (recall !== undefined && (!recall.isDeferred || hasFoundTool.has(session)))
        return recallWith(session, recall, number)
      callers.set(callId(number), { session, isSearch: false })
      const search = tools.find(({ name }) => name === 'ToolSearch' || name === 'tool_search')
      if (search !== undefined && !hasFoundTool.has(session)) {
        // Some clients list the tools of MCP only after a search for them.
        hasFoundTool.add(session)
        const names = toolNames.map((name) => `mcp__probe__${name}`)
        const query = search.name === 'ToolSearch' ? `select:${names}` : 'probe recall'
        return called(`I look for it, ${number}.`, { name: search.name, input: { query } })
      }
      // Clients do not wait for an MCP server that is still starting.
      const shell = tools.find(({ name }) => name === 'Bash' || name === 'exec_command')
      const waited = waits.get(session) ?? 0
      if (shell === undefined || waited === waitsAtMost)
        return { text: `There is no tool to recall with, ${number}.` }
      waits.set(session, waited + 1)
      const field = shell.inputs.includes('cmd') ? 'cmd' : 'command'
      return called(`I wait, ${number}.`, { name: shell.name, input: { [field]: 'sleep 4' } })
    },
  }
}

function called(text: string, call: ScriptedCall): ScriptedAnswer {
  return { text, calls: [call] }
}
