/**
 * The import law as data: which room may import which; `docs/architecture.md` has it as a table.
 * Plugs are implementations of ports.
 */

/** Files at the root of `src` that every room may import. */
const ground = ['defaults-data.ts', 'errors.ts', 'invariants.ts']

export interface Room {
  /** Rooms and single files that its files may import, beside its own and the ground. */
  readonly sees: readonly string[]
  /** Files that may use Node, the network, time or randomness. */
  readonly outside?: RegExp
  /** Packages that its files may import. */
  readonly packages?: readonly string[]
}

const core = ['domain', 'extract', 'ports', 'derived']
const front = ['config.ts', 'conversation', 'engine.ts', 'fit', 'index.ts', 'throughline.ts']
/** The public entries. The command line imports nothing else, like any other program. */
const entries = [
  'index.ts',
  ...[
    'adapters',
    'ai-sdk',
    'clients',
    'models',
    'stores',
    'testing',
    'toolkit',
    'transcripts',
    'turns',
  ].map((room) => `${room}/index.ts`),
  'stores/sqlite.ts',
]
/** The part of the core that an extension with its own rows and slots may import. */
const hooks = [
  'conversation/access.ts',
  'conversation/handle.ts',
  'flow/check/check-options.ts',
  ...['action-words', 'draft-form', 'draft-text', 'gate', 'language', 'source-index'].map(
    (file) => `flow/gate/${file}.ts`,
  ),
  ...['excerpt', 'page-text', 'sanitize-message'].map((file) => `flow/text/${file}.ts`),
]
const plugs = [
  ...['stores', 'tokenizers', 'models', 'transcripts', 'adapters', 'summarizers', 'queues'],
]

export const rooms: Readonly<Record<string, Room>> = {
  domain: { sees: [] },
  extract: { sees: ['domain'], packages: ['stemmer'] },
  ports: { sees: ['domain'] },
  derived: { sees: ['domain', 'ports'] },
  flow: { sees: core },
  stores: { sees: [...core, 'system.ts'], outside: /^stores\/(?:sqlite|json-file)/ },
  tokenizers: {
    sees: core,
    outside: /^tokenizers\/vocabulary-file/,
    packages: ['gpt-tokenizer'],
  },
  models: {
    sees: core,
    outside: /^models\/(?:language-model|bounded-fetch|http\/)/,
    packages: ['ai', 'eventsource-parser'],
  },
  // A program like any other: it sees what programs import.
  transcripts: { sees: ['index.ts'] },
  adapters: { sees: core },
  summarizers: { sees: core },
  queues: { sees: core },
  // A program like any other: it sees the hooks of the core, and nothing else of it.
  turns: { sees: [...core, 'summarizers', ...hooks] },
  calls: { sees: [...core, ...front, 'flow', 'system.ts'] },
  'ai-sdk': { sees: [...core, ...front, 'adapters', 'calls', 'flow', 'system.ts'] },
  'claude-agent': { sees: [...core, ...front, 'adapters', 'flow'] },
  clients: {
    sees: [...core, ...front, 'adapters', 'calls', 'flow'],
    outside: /^clients\/(?:recording-fetch|with-throughline)/,
    packages: ['eventsource-parser'],
  },
  mastra: { sees: [...core, ...front, 'adapters', 'ai-sdk', 'calls', 'flow'] },
  'openai-agents': {
    sees: [...core, ...front, 'adapters', 'calls', 'flow', 'system.ts'],
    // Its types only.
    packages: ['@openai/agents'],
  },
  langchain: { sees: [...core, ...front, 'adapters', 'calls', 'flow'] },
  testing: {
    sees: [...core, ...front, ...plugs, 'flow', 'system.ts'],
    packages: [],
  },
  cli: {
    sees: [...entries, 'domain/text.ts'],
    outside: /./,
    packages: ['string-width', '@throughline/postgres', '@throughline/server'],
  },
  toolkit: {
    sees: [
      ...[...core, 'adapters', 'config.ts', 'conversation', 'flow', 'meters.ts', 'policies'],
      'system.ts',
    ],
  },
  'system.ts': { sees: ['domain', 'ports'], outside: /./, packages: ['@noble/hashes'] },
  policies: {
    sees: ['domain', 'ports', 'summarizers'],
    packages: ['valibot'],
  },
  'config.ts': {
    sees: [...core, 'queues', 'models', 'policies', 'system.ts'],
    packages: ['valibot'],
  },
  'engine.ts': { sees: [...core, 'flow', 'config.ts', 'system.ts'] },
  conversation: { sees: [...core, 'flow', 'config.ts', 'engine.ts', 'system.ts'] },
  'meters.ts': { sees: [...core, 'flow', 'tokenizers', 'models', 'config.ts'] },
  fit: {
    sees: [...[...core, 'flow', 'config.ts', 'engine.ts', 'meters.ts', 'system.ts'], 'policies'],
  },
  'open-engine.ts': {
    sees: [
      ...[...core, 'flow', 'conversation', 'config.ts', 'meters.ts', 'system.ts'],
      ...['policies', 'queues', 'stores', 'summarizers', 'turns'],
    ],
  },
  'throughline.ts': {
    sees: [...core, ...front, 'flow', 'open-engine.ts', 'system.ts', 'tracing.ts'],
  },
  'tracing.ts': { sees: ['domain', 'ports'], packages: ['@opentelemetry/api'] },
  'index.ts': {
    sees: [...core, ...front, 'flow', 'tokenizers', 'models', 'policies'],
  },
  'defaults-data.ts': { sees: [] },
  'errors-data.ts': { sees: [] },
  'errors.ts': { sees: ['errors-data.ts'] },
  'invariants.ts': { sees: [] },
}

/**
 * The folders of the flow in reading order. Each sees itself and those before it. A stage that
 * tries another comes after it: `select` assembles a selection to see whether it fits, so it
 * follows `assemble`.
 */
export const flowOrder: readonly string[] = [
  ...['text', 'redact', 'check', 'append', 'read', 'measure'],
  ...['classify', 'stub', 'files', 'digest', 'gate'],
  ...['assemble', 'summarize', 'project', 'select', 'history', 'decide', 'recall', 'describe'],
  ...['epoch', 'receipt', 'undo'],
]

/** Plugs of one room that do not know each other, by the beginning of their names. */
export const separatePlugs: Readonly<Record<string, readonly string[]>> = {
  stores: ['memory', 'sqlite'],
  summarizers: ['structured', 'running', 'digest', 'turns'],
}

export function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

export function maySee(from: string, to: string): boolean {
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room === 'flow' && target === 'flow') return stageOf(to) <= stageOf(from)
  if (room === target || ground.includes(target)) return !crosses(from, to, room)
  const sees = rooms[room]?.sees ?? []
  return sees.includes(target) || sees.includes(to)
}

/** The index of a file's folder in the flow; -1 outside its folders. */
export function stageOf(file: string): number {
  return flowOrder.indexOf(file.split('/')[1] ?? '')
}

function crosses(from: string, to: string, room: string): boolean {
  const plugOf = (file: string) =>
    separatePlugs[room]?.find((plug) => file.startsWith(`${room}/${plug}`))
  const [ours, theirs] = [plugOf(from), plugOf(to)]
  return ours !== undefined && theirs !== undefined && ours !== theirs
}
