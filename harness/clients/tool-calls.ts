/** The calls of the scripted model, by the tools that a client lists. */
import { join } from 'node:path'
import type { ScriptedCall } from '../gateway/wire-answers.ts'
import type { ListedTool } from './sent-request.ts'

/** `agents*3`: three sub-agents at once; `shells*3`: three commands in one answer. */
export type Step = 'shell' | 'image' | 'mcp' | 'slow' | `agents*${number}` | `shells*${number}`

interface Calling {
  readonly tools: readonly ListedTool[]
  /** What the result of the call at this place contains. */
  readonly markOf: (at: number) => string
  readonly play: string
  readonly folder: string
  /** The step has looked for its tool already. */
  readonly hasSearched: boolean
}

export const imageFile = 'chart.png'
/** How the model asks a sub-agent. */
export const agentPrompt = 'Look around and report.'

interface Made {
  readonly calls: readonly ScriptedCall[]
  /** The step needs another answer, after the tool was found. */
  readonly again: boolean
}

export function callTool(step: Step, calling: Calling): Made {
  const [name, times = '1'] = step.split('*')
  const places = Array.from({ length: Number(times) }, (_, at) => at)
  if (name === 'shell' || name === 'shells') return made(places.map((at) => shell(calling, at)))
  if (name === 'agents') return made(places.map((at) => agent(calling, at)))
  if (name === 'image') return made([image(calling)])
  return probe(calling)
}

function made(calls: readonly (ScriptedCall | null)[]): Made {
  return { calls: calls.filter((call) => call !== null), again: false }
}

function find(tools: readonly ListedTool[], names: readonly string[]): ListedTool | null {
  return tools.find(({ name }) => names.includes(name)) ?? null
}

function called(tool: ListedTool, input: object): ScriptedCall {
  const { name, namespace } = tool
  return { name, input, ...(namespace !== undefined && { namespace }) }
}

/** Some 2,500 characters. */
const outputLines = 110

function shell({ tools, markOf }: Calling, at: number): ScriptedCall | null {
  const tool = find(tools, [
    'Bash',
    'exec_command',
    'shell_command',
    'bash',
    'run_shell_command',
    'shell',
  ])
  if (tool === null) return null
  // Gemini CLI refuses commands with a substitution.
  const text = `echo ${markOf(at)}; seq -f 'line %g of the report' ${outputLines}`
  const field = tool.inputs.includes('cmd') ? 'cmd' : 'command'
  const described = tool.inputs.includes('description') && { description: 'write a report' }
  return called(tool, {
    [field]: tool.name === 'shell' ? ['bash', '-lc', text] : text,
    ...described,
  })
}

function image({ tools, folder }: Calling): ScriptedCall | null {
  const tool = find(tools, ['Read', 'view_image', 'read', 'read_file'])
  const field = tool?.inputs.find((name) => /path/i.test(name))
  if (tool === null || field === undefined) return null
  return called(tool, { [field]: join(folder, imageFile) })
}

function agent({ tools, markOf, play }: Calling, at: number): ScriptedCall | null {
  const tool = find(tools, ['Agent', 'Task', 'task', 'spawn_agent', 'invoke_agent', 'generalist'])
  if (tool === null) return null
  const mark = markOf(at)
  const id = `${play}.${mark.split('-').at(-2)}`
  const prompt = `${agentPrompt} [[play ${id}: shell*2 reports ${mark}]]`
  const values: Readonly<Record<string, unknown>> = {
    ...{ prompt, message: prompt, request: prompt, description: 'look around' },
    ...{ subagent_type: tool.name === 'task' ? 'general' : 'general-purpose' },
    ...{ run_in_background: false, agent_name: 'generalist', task_name: `look_${at}` },
  }
  return called(
    tool,
    Object.fromEntries(
      tool.inputs.flatMap((name) => (name in values ? [[name, values[name]]] : [])),
    ),
  )
}

function probe({ tools, markOf, hasSearched }: Calling): Made {
  const tool = tools.find(({ name }) => /repeat/.test(name))
  if (tool !== undefined && (hasSearched || !tool.isDeferred))
    return made([called(tool, { text: markOf(0) })])
  const search = find(tools, ['ToolSearch', 'tool_search'])
  if (search === null || hasSearched) return { calls: [], again: false }
  const query = search.name === 'ToolSearch' ? 'select:mcp__probe__repeat' : 'probe repeat'
  return { calls: [called(search, { query })], again: true }
}
