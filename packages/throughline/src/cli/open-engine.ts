/** Opens the engine with the settings for one command, and always closes it. */
import {
  type Compacted,
  type Conversation,
  createThroughline,
  type ModelCardInput,
  type ModelOverride,
  type PolicyInput,
  type PolicyName,
  type TenantHandle,
  type Throughline,
} from '../index.ts'
import { type Store, type TenantStore, tenantId } from '../stores/index.ts'
import { sqlite } from '../stores/sqlite.ts'
import { dryRunStore, readPolicy, storedMessages } from '../toolkit/index.ts'
import type { Arguments } from './command.ts'
import { openForReading, openStore } from './open-store.ts'
import { summaryModel } from './provider.ts'
import { readSettings } from './settings/read-settings.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface OpenEngine {
  readonly settings: CliSettings
  readonly engine: Throughline
  readonly tl: TenantHandle
  readonly store: TenantStore
}

/** Whether requests to a model are compacted automatically; `undone`: off since an undo. */
export function compactionState(
  { compaction: { mode, suspended } }: Conversation,
  { compaction }: CliSettings,
  model: string,
): CliSettings['compaction'] | 'undone' {
  const own = mode ?? compaction
  return own === 'on' && suspended.some((each) => each.model === model) ? 'undone' : own
}

export interface EngineOptions {
  /** Stores nothing and calls no model. */
  readonly dryRun?: boolean
  /** Also works on a read-only store; then nothing is stored. */
  readonly allowsReadOnly?: boolean
  /** Turns an empty file into a store. */
  readonly createsStore?: boolean
  readonly change?: (settings: CliSettings) => CliSettings
}

export async function withEngine<Value>(
  args: Arguments,
  world: World,
  use: (open: OpenEngine) => Promise<Value>,
  { dryRun = false, allowsReadOnly = dryRun, createsStore = false, change }: EngineOptions = {},
): Promise<Value> {
  const found = readSettings(args, world)
  const settings = change?.(found.values) ?? found.values
  // A command may use a temporary store of its own, as replay does.
  const isOwn = settings.store !== found.values.store
  const { store: opened, isWritable } = isOwn
    ? { store: sqlite(settings.store), isWritable: true }
    : allowsReadOnly
      ? openForReading(found, world)
      : { store: openStore(found, world, { createsStore }), isWritable: true }
  try {
    const whole = dryRun || !isWritable ? dryRunStore(opened, { writable: isWritable }) : opened
    const engine = engineOn(whole, dryRun ? { ...settings, summarizer: null } : settings, world)
    const store = opened.tenant(tenantId(settings.tenant))
    try {
      return await use({ settings, engine, tl: engine.tenant(settings.tenant), store })
    } finally {
      await engine.close()
    }
  } finally {
    await opened.close()
  }
}

/** Throws if the engine rejects the settings. */
export async function tryEngine(settings: Pick<CliSettings, 'policy' | 'models'>): Promise<void> {
  const engine = createThroughline({ policy: policyOf(settings), models: cardsOf(settings) })
  await engine.close()
}

function engineOn(store: Store, settings: CliSettings, world: World): Throughline {
  const { tokenizer, compaction, summarizer } = settings
  return createThroughline({
    store,
    tokenizer,
    compaction,
    clock: { now: world.now },
    policy: policyOf(settings),
    models: cardsOf(settings),
    ...(summarizer !== null && { summarizer: summaryModel(summarizer, settings, world) }),
  })
}

function policyOf({ policy, models }: Pick<CliSettings, 'policy' | 'models'>): PolicyInput {
  // The engine validates it.
  const read = readPolicy(policy)
  const overrides = Object.entries(models).flatMap(([match, { policy: override }]) =>
    override === undefined ? [] : [{ ...override, match } as ModelOverride],
  )
  if (overrides.length === 0) return policy as PolicyInput
  const own = typeof policy === 'string' ? { extends: policy as PolicyName } : policy
  return { ...own, name: read.name, models: [...overrides, ...read.models] }
}

export function cardsOf({ models }: Pick<CliSettings, 'models'>): readonly ModelCardInput[] {
  return Object.entries(models).flatMap(([id, { policy: _, prices: __, ...fields }]) =>
    Object.keys(fields).length === 0 ? [] : [{ ...fields, id }],
  )
}

/** If no request came before the compaction, counts the tokens of all messages instead. */
export async function withTokensBefore<Done extends Compacted>(
  compacted: Done,
  { id }: Conversation,
  open: Pick<OpenEngine, 'store' | 'engine'>,
): Promise<Done> {
  const { tokensBefore, model, head } = compacted
  if (tokensBefore !== null) return compacted
  return { ...compacted, tokensBefore: await countTokens({ id, head }, model, open) }
}

/** The tokens of a request with all messages, without a system prompt and tools. */
export async function countTokens(
  conversation: Pick<Conversation, 'id' | 'head'>,
  model: string,
  { store, engine }: Pick<OpenEngine, 'store' | 'engine'>,
): Promise<number> {
  const meter = await engine.meter(model)
  const span = { from: 0, to: conversation.head }
  let { tokens } = meter.request({ messages: [] })
  for await (const message of storedMessages(store, conversation, span))
    tokens += meter.message(message)
  return tokens
}
