/** The methods by name: ours, peers through their public APIs, and simple ones for comparison. */
import type { OpenSession } from './session.ts'

export interface Method {
  readonly name: string
  /** The package of a peer, whose version the page names. */
  readonly package: string | null
  /** Whether a model writes what it keeps. */
  readonly asksModel: boolean
  /** The options that differ from the defaults. */
  readonly options: string
  readonly load: () => Promise<OpenSession>
}

const method = (
  name: string,
  load: Method['load'],
  options: string,
  peer: { readonly package: string; readonly asksModel?: boolean } | null = null,
): Method => ({
  name,
  load,
  options,
  package: peer?.package ?? null,
  asksModel: peer?.asksModel ?? false,
})

const naive = () => import('./methods/naive.ts')

/** Named by texts, so that nothing else needs the peers to be installed. */
const peer = (file: string, name: string) => async (): Promise<OpenSession> => {
  const module: Readonly<Record<string, OpenSession>> = await import(`./peers/${file}.ts`)
  const found = module[name]
  if (found === undefined) throw new Error(`peers/${file}.ts has no "${name}"`)
  return found
}

export const ourName = 'Throughline'
const floorName = 'floor: current turn only'

export const methods: readonly Method[] = [
  method(
    ourName,
    async () => (await import('./methods/throughline.ts')).open,
    'default policy, SQLite',
  ),
  method(
    'LangChain trimMessages',
    peer('langchain', 'trim'),
    '80 % of the window, from a user message, SQLite checkpoints',
    { package: 'langchain' },
  ),
  method(
    'LangChain summarization',
    peer('langchain', 'summarization'),
    'trigger 70 %, keep 30 % of the window, SQLite checkpoints',
    { package: 'langchain', asksModel: true },
  ),
  method(
    'LangGraph + SQLite',
    peer('langchain', 'checkpoints'),
    'checkpoints alone: the whole history',
    { package: '@langchain/langgraph' },
  ),
  method(
    'Mastra recall',
    peer('mastra', 'recall'),
    '10 last messages, 3 hits with 2 neighbours, LibSQL',
    { package: '@mastra/memory' },
  ),
  method(
    'Mastra observational memory',
    peer('mastra', 'observational'),
    'messages 35 %, observations 40 % of the window, LibSQL',
    { package: '@mastra/memory', asksModel: true },
  ),
  method(
    'OpenAI Agents compaction',
    peer('openai-agents', 'compaction'),
    'default trigger, sealed item counts as empty, in memory',
    { package: '@openai/agents' },
  ),
  method(
    'AI SDK pruneMessages',
    peer('ai-sdk', 'prune'),
    'tool calls before the last 2 messages, one JSONL file',
    { package: 'ai' },
  ),
  method(
    'Mem0',
    peer('mem0', 'facts'),
    '20 facts a turn, newest messages in 60 % of the window; for times, stored messages have no facts',
    {
      package: 'mem0ai',
      asksModel: true,
    },
  ),
  method('full history', async () => (await naive()).full, 'as if the window were unlimited'),
  method(
    'sliding window',
    async () => (await naive()).sliding,
    'newest messages in 90 % of the window',
  ),
  method('¾ newest, ¼ names', async () => (await naive()).names, '90 % of the window'),
  method('½ newest, ½ BM25', async () => (await naive()).bm25, '90 % of the window'),
  method(floorName, async () => (await naive()).floor, 'the current turn'),
]

export function methodNamed(name: string): Method {
  const found = methods.find((each) => each.name === name)
  if (found === undefined) throw new Error(`unknown method "${name}"`)
  return found
}
