/**
 * A conversation to look at, made for an empty database: a person and a coding agent, with tool calls, calls
 * that the user rejects, a sub-agent and a fork. Each step asks for a context as an agent would, so the engine compacts by
 * its normal rules.
 */
import type {
  ConversationHandle,
  MessageInput,
  PartInput,
  TenantHandle,
  ToolSchema,
} from 'throughline'
import { type DemonstrationTask, tasks } from './tasks-data.ts'

const demonstrationId = 'ferry-timetable'
/** Its name states its window: a small one, so that a session of a day is compacted several times. */
const demonstrationModel = 'demo/agent:16k'

const system =
  'You are a coding agent in the repository of a ferry company. You read, search, edit and run commands with tools.'

const tools: readonly ToolSchema[] = [
  toolOf('search', 'Finds a pattern in the files of a folder.', 'pattern', 'path'),
  toolOf('read_file', 'Reads a file, with numbered lines.', 'path'),
  toolOf('edit_file', 'Replaces a text in a file.', 'path', 'find', 'replace'),
  toolOf('run', 'Runs a command in the repository; the user may reject it.', 'command'),
]

function toolOf(name: string, description: string, ...required: readonly string[]): ToolSchema {
  const properties = Object.fromEntries(required.map((each) => [each, { type: 'string' }]))
  return { name, description, parameters: { type: 'object', properties, required } }
}

export async function makeDemonstration(tenant: TenantHandle): Promise<void> {
  const created = await tenant.begin(demonstrationId, {
    title: 'The timetable of the ferries',
    meta: { demonstration: true },
  })
  if (!created.ok) return
  const forkAt = await playTasks(created.value)
  await playSubAgent(tenant)
  const fork = await created.value.history.fork(forkAt, `${demonstrationId}-with-redis`)
  if (!fork.ok) return
  await fork.value.update({ title: 'The same, with Redis after all' })
  for (const message of otherWay) await fork.value.append(message)
}

/** What the search of a task started: its messages are not in the log of its parent. */
async function playSubAgent(tenant: TenantHandle): Promise<void> {
  const parent = { conversationId: demonstrationId, callId: 'call_8_1' }
  const title = 'Where is lineColour used?'
  const created = await tenant.begin(`${demonstrationId}-search`, { title, parent })
  if (!created.ok) return
  for (const message of search) {
    if (message.role === 'assistant')
      await created.value.context({ model: demonstrationModel, system, tools })
    await created.value.append(message)
  }
}

/** Returns the place where the fork leaves: before the user rejects a cache server. */
async function playTasks(chat: ConversationHandle): Promise<number> {
  let forkAt = 0
  for (const [index, task] of tasks.entries()) {
    if (task.symbol === 'cachedTimetable') forkAt = (await chat.info())?.head ?? 0
    for (const message of messagesOf(task, index)) {
      const asksModel = message.role === 'assistant'
      if (asksModel) await chat.context({ model: demonstrationModel, system, tools })
      await chat.append(message)
    }
  }
  return forkAt
}

function messagesOf(task: DemonstrationTask, index: number): readonly MessageInput[] {
  const { request, file, symbol, finding, before, after, failure, rejected, answer } = task
  const test = `npm test -- ${file.replace(/\.(?:ts|md)$/, '.test.ts')}`
  const call = caller(index)
  return [
    { role: 'user', content: request },
    ...call('search', { pattern: symbol, path: 'src' }, searchResult(file, symbol, index)),
    ...call('read_file', { path: file }, sourceOf(task), `I look at ${file}.`),
    ...(rejected === undefined ? [] : rejection(rejected, call)),
    ...call(
      'edit_file',
      { path: file, find: before, replace: after },
      `1 replacement in ${file}`,
      finding,
    ),
    ...(failure === undefined
      ? []
      : call(
          'run',
          { command: test },
          `FAIL ${file}\n  ${failure}\n1 failed, ${11 + index} passed`,
        )),
    ...(failure === undefined
      ? []
      : call(
          'edit_file',
          { path: file, find: `${after} `, replace: after },
          `1 replacement in ${file}`,
        )),
    ...call('run', { command: test }, `PASS ${file} (${12 + index} tests, ${90 + index * 7} ms)`),
    { role: 'assistant', content: answer },
  ]
}

type Caller = (
  name: string,
  input: object,
  output: string,
  text?: string,
) => readonly [MessageInput, MessageInput]

function caller(index: number): Caller {
  let calls = 0
  return (name, input, output, text) => {
    calls += 1
    const callId = `call_${index}_${calls}`
    const words: readonly PartInput[] = text === undefined ? [] : [{ type: 'text', text }]
    return [
      { role: 'assistant', content: [...words, { type: 'tool-call', callId, name, input }] },
      { role: 'tool', content: [{ type: 'tool-result', callId, name, output }] },
    ]
  }
}

/** The user refuses a call and says why. */
function rejection(
  { command, because }: NonNullable<DemonstrationTask['rejected']>,
  call: Caller,
): readonly MessageInput[] {
  const [asked, answered] = call('run', { command }, 'The user rejected this command.')
  const content = (answered.content as readonly PartInput[]).map((part) => ({
    ...part,
    isError: true,
  }))
  return [asked, { ...answered, content }, { role: 'user', content: because }]
}

function searchResult(file: string, symbol: string, index: number): string {
  const folder = file.split('/').slice(0, -1).join('/')
  return [
    `${file}:14: export function ${symbol}`,
    `${folder}/index.ts:${3 + index}: ${symbol}`,
  ].join('\n')
}

/** The file with a table of data, so that reading it fills the window as real files do. */
function sourceOf({ symbol, before, rows }: DemonstrationTask): string {
  const table = Array.from({ length: rows }, (_, row) => {
    const [hour, minute] = [5 + (row % 18), (row * 17) % 60]
    const at = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
    return `  { id: '${symbol}-${1000 + row * 7}', at: '${at}', pier: ${1101 + ((row * 13) % 97)}, seats: ${180 + ((row * 29) % 220)} },`
  })
  return [
    `export const ${symbol}Rows = [`,
    ...table,
    ']',
    '',
    `export function ${symbol}(row: Row) {`,
    `  ${before}`,
    '}',
  ]
    .map((line, at) => `${String(at + 1).padStart(5)}  ${line}`)
    .join('\n')
}

const search: readonly MessageInput[] = [
  { role: 'user', content: 'Find every use of lineColour, and say which ones are not tests.' },
  ...caller(0)(
    'search',
    { pattern: 'lineColour', path: '.' },
    'src/lines/line-colour.ts:14\nsrc/map/legend.ts:8\nsrc/lines/line-colour.test.ts:5',
  ),
  {
    role: 'assistant',
    content: 'Two are not tests: src/lines/line-colour.ts:14 and src/map/legend.ts:8.',
  },
]

const otherWay: readonly MessageInput[] = [
  {
    role: 'user',
    content: 'Let us cache the timetable, with Redis: the other team runs one anyway.',
  },
  {
    role: 'assistant',
    content:
      'Then cachedTimetable reads from their Redis at cache.internal:6379, with a lifetime of 60 seconds and a limit of 50 ms per read.',
  },
]
