/** The engine that the settings describe, for one command, closed whatever happens. */
import type { TenantHandle } from '../conversation/tenant-handle.ts'
import type { Conversation } from '../domain/conversation.ts'
import { type ConversationId, type Seq, tenantId } from '../domain/ids.ts'
import type { ModelCardInput } from '../domain/model-card.ts'
import type { ModelOverride } from '../domain/policy.ts'
import type { Compacted } from '../domain/receipt.ts'
import { TermIndex } from '../extract/term-index.ts'
import { indexedPieces } from '../flow/recall/message-pieces.ts'
import { findModel } from '../models/catalogue.ts'
import type { PolicyInput } from '../policies/policy-input.ts'
import { readPolicy } from '../policies/read-policy.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { sqlite } from '../stores/sqlite.ts'
import { createThroughline, type Throughline } from '../throughline.ts'
import type { Arguments } from './command.ts'
import { NotSetUp } from './ending.ts'
import { messagesIn } from './find-conversation.ts'
import { openStore, openToLook } from './open-store.ts'
import { findProvider, pricesOf, providerModel, providerProblem } from './provider.ts'
import { readSettings } from './settings/read-settings.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface OpenEngine {
  readonly settings: CliSettings
  readonly engine: Throughline
  /** Both are of the tenant of the settings. */
  readonly tl: TenantHandle
  readonly store: TenantStore
}

export interface EngineOptions {
  /** Nothing that is done is kept, and no model is asked: for a look at what would be. */
  readonly onlyLooks?: boolean
  /** What is to be kept is of no matter to what is told: where the store cannot be written, it is not. */
  readonly readsAnyway?: boolean
  /** It brings conversations: an empty file becomes a store. */
  readonly begins?: boolean
  /** What flags of the command say beyond the settings. */
  readonly change?: (settings: CliSettings) => CliSettings
}

export async function withEngine<Value>(
  args: Arguments,
  world: World,
  use: (open: OpenEngine) => Promise<Value>,
  { onlyLooks = false, readsAnyway = onlyLooks, begins = false, change = same }: EngineOptions = {},
): Promise<Value> {
  const found = readSettings(args, world)
  const settings = change(found.values)
  // One that the command brings goes with it.
  const isOwn = settings.store !== found.values.store
  const { store: opened, isWritable } = isOwn
    ? { store: sqlite(settings.store), isWritable: true }
    : readsAnyway
      ? openToLook(found, world)
      : { store: openStore(found, world, { begins }), isWritable: true }
  try {
    const whole = onlyLooks || !isWritable ? lookingStore(opened, { isWritable }) : opened
    // A look costs nothing: no model is asked for it.
    const engine = engineOn(whole, onlyLooks ? { ...settings, summarizer: null } : settings, world)
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

/** Throws where no engine could be made with them. */
export async function tryEngine(settings: Pick<CliSettings, 'policy' | 'models'>): Promise<void> {
  const engine = createThroughline({ policy: policyOf(settings), models: cardsOf(settings) })
  await engine.close()
}

const same = (settings: CliSettings): CliSettings => settings

function engineOn(store: Store, settings: CliSettings, world: World): Throughline {
  const { tokenizer, compaction, summarizer } = settings
  return createThroughline({
    store,
    tokenizer,
    compaction,
    clock: { now: world.now },
    policy: policyOf(settings),
    models: cardsOf(settings),
    ...(summarizer !== null && { summarizer: modelFor(summarizer, settings, world) }),
  })
}

/** The model of a name, ready to be asked; an error with what is missing where it cannot be. */
function modelFor(name: string, settings: CliSettings, world: World): LanguageModel {
  const provider = findProvider(name, settings, world)
  const problem = providerProblem(name, provider, world)
  if (provider === null || problem !== null) throw new NotSetUp(`model ${name}: ${problem}`)
  return providerModel(name, provider, pricesOf(name, settings))
}

/** A policy with what the settings say for single models. */
function policyOf({ policy, models }: Pick<CliSettings, 'policy' | 'models'>): PolicyInput {
  // A border: the engine checks whatever it is.
  const read = readPolicy(policy)
  const overrides = Object.entries(models).flatMap(([match, { policy: override }]) =>
    override === undefined ? [] : [{ ...override, match } as ModelOverride],
  )
  return overrides.length === 0
    ? (policy as PolicyInput)
    : { ...read, models: [...overrides, ...read.models] }
}

/** What is not said of a model is as the catalogue has it. */
function cardsOf({ models }: Pick<CliSettings, 'models'>): readonly ModelCardInput[] {
  return Object.entries(models).flatMap(([id, { policy: _, prices: __, ...fields }]) =>
    Object.keys(fields).length === 0
      ? []
      : [{ ...findModel(id).card, windowSource: 'set by you', ...fields, id }],
  )
}

/**
 * A store that only looks: what an engine commits to it is answered as if it were kept, and is not.
 * So the next context of a conversation can be seen without being sent. What is searched is indexed
 * all the same, since nothing could be recalled without it, and it changes nothing that is shown;
 * where the store cannot be written, in memory.
 */
export function lookingStore(
  store: Store,
  { isWritable = true }: { readonly isWritable?: boolean } = {},
): Store {
  return {
    tenant: (id) => lookingTenant(store.tenant(id), isWritable),
    close: () => store.close(),
  }
}

function lookingTenant(store: TenantStore, isWritable: boolean): TenantStore {
  return {
    ...store,
    ...(!isWritable && searchInMemory(store)),
    commit: async ({ id }) => {
      const conversation = await store.conversation(id)
      return conversation === null ? { kind: 'not-found' } : { kind: 'committed', conversation }
    },
    record: async () => ({ kind: 'recorded' }),
    // Nobody looks back at what was not sent.
    waiting: async () => null,
  }
}

/**
 * Searching in a store that cannot be written. Where its index does not reach far enough, all messages
 * are indexed in memory, for as long as the command runs.
 */
export function searchInMemory(store: TenantStore): Pick<TenantStore, 'find' | 'index'> {
  const indexes = new Map<ConversationId, { readonly index: TermIndex; readonly end: Seq }>()
  const indexOf = async (id: ConversationId) => {
    const index = new TermIndex()
    const conversation = await store.conversation(id)
    const end = conversation?.head ?? 0
    if (conversation !== null)
      for await (const message of messagesIn(store, conversation, { from: 0, to: end }))
        index.add(indexedPieces(message))
    return { index, end }
  }
  return {
    find: async (query) => {
      const found = await store.find(query)
      if (found === null || found.indexedTo >= query.before) return found
      const known = indexes.get(query.id) ?? (await indexOf(query.id))
      indexes.set(query.id, known)
      return { ...known.index.find(query), indexedTo: known.end }
    },
    index: async ({ from }) => ({ kind: 'moved', indexedTo: from }),
  }
}

/**
 * A first compaction has no request before it that it could be held against: what it saves is told of
 * all messages that were there, counted for its model.
 */
export async function besideWholeLog<Told extends Compacted>(
  told: Told,
  { id }: Conversation,
  { store, engine }: { readonly store: TenantStore; readonly engine: Throughline },
): Promise<Told> {
  const { tokensBefore, model, head } = told
  if (tokensBefore !== null) return told
  const meter = await engine.meter(model)
  let tokens = 0
  for await (const message of messagesIn(store, { id, head }, { from: 0, to: head }))
    tokens += meter.message(message)
  return { ...told, tokensBefore: tokens }
}
