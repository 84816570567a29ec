/** Opens the engine of a session with its store, policy, model and planted bug. */
import {
  type ConversationHandle,
  createThroughline,
  type LanguageModel,
  type PolicyInput,
  policies,
  type Store,
} from 'throughline'
import type { TurnRules } from 'throughline/turns'
import { type ChangeCommit, commitBug, type StoreBug, storeWithBug } from '../kernel/planted.ts'
import { tokenizer } from '../races/strict-model.ts'
import { limitMs } from './time-limit.ts'

/** A planted bug, which the checks must find. */
export interface Planted {
  /** Other limits than those of the session. */
  readonly rules?: (rules: TurnRules) => TurnRules
  /** Changes commits. */
  readonly commit?: ChangeCommit
  /** Replaces commands of the store. */
  readonly store?: StoreBug
}

export interface SessionEngine {
  chat(id: string): ConversationHandle
  close(): Promise<void>
}

export interface EngineParts {
  readonly store: Store
  readonly rules: TurnRules
  readonly now: () => number
  readonly model: LanguageModel | null
  readonly planted: Planted
  readonly windowTokens: number
}

export const chatModel = 'toy/chat'

const limits = { timeMs: limitMs, calls: 6, callsPerHour: 100_000 }

export function sessionEngine(parts: EngineParts): SessionEngine {
  const { store, rules, now, model, planted, windowTokens } = parts
  const policy: PolicyInput = {
    ...policies['turn-memory'],
    name: 'session',
    advanced: { turns: planted.rules?.(rules) ?? rules },
    limits,
  }
  const tl = createThroughline({
    ...{ store: withBug(store, planted), policy, tokenizer, clock: { now } },
    models: [{ id: chatModel, contextWindowTokens: windowTokens }],
    ...(model !== null && { summarizer: model }),
  })
  return { chat: (id) => tl.conversation(id), close: () => tl.close() }
}

function withBug(store: Store, { commit, store: replaced }: Planted): Store {
  if (commit !== undefined) return storeWithBug(commitBug(commit))(store)
  return replaced === undefined ? store : storeWithBug(replaced)(store)
}
