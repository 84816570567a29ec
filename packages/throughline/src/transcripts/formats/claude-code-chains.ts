/**
 * Which conversation a Claude Code record belongs to, and which call began it.
 *
 * A file holds one main conversation and any number of side chains, interleaved: the
 * work of agents that a Task or Agent call started. New files name the agent in each
 * record; old ones only point at the record before. The call is found by the first
 * of: the agent that a result or progress record named, the call that the record
 * names, the one unclaimed call with the prompt that the chain begins with.
 *
 * A result names its agent only after the chain has run. A chain whose call may still
 * be named so is held back, within bounds; every other chain streams.
 */

import type { JsonObject, JsonValue } from '../../index.ts'
import { fieldOf, filledTextOf, listOf, metaOf, textOf } from '../json/json-access.ts'
import { nameHash, RecentNames, UniqueNames } from '../names.ts'
import {
  conversationItem,
  type TranscriptConversation,
  type TranscriptItem,
} from '../transcript.ts'

/** Items of one chain that wait for their call to be named; then it goes without. */
const maximumHeld = 5_000

/** Characters that wait, of all chains together. */
const maximumHeldLength = 4_194_304

/** Records of side chains that are remembered: the next one points at one of them. */
const recordsKept = 50_000

interface PendingCompaction {
  readonly trigger: string | null
  readonly tokensBefore: number | null
  readonly line: number
}

export interface Chain {
  readonly id: string
  readonly agentId: string | null
  readonly meta: JsonObject | null
  parent: TranscriptConversation['parent']
  begun: boolean
  /** A compaction that was announced and whose summary has not come yet. */
  pending: PendingCompaction | null
  held: TranscriptItem[] | null
}

export class Chains {
  readonly #fallbackId: string
  #sessionId: string | null = null
  #main: Chain | null = null
  readonly #sides: Chain[] = []
  readonly #ids = new UniqueNames()
  readonly #chainOfAgent = new Map<string, Chain>()
  readonly #chainOfUuid = new RecentNames<Chain>(recordsKept)
  readonly #calls = new AgentCalls()
  readonly #callOfAgent = new Map<string, AgentCall>()
  #heldLength = 0

  constructor(fallbackId: string) {
    this.#fallbackId = fallbackId
  }

  /** Every record is shown here first, also those that become no message. */
  follow(record: JsonObject): void {
    this.#sessionId ??= filledTextOf(record, 'sessionId')
    const chain = this.#chainOfUuid.get(textOf(record, 'parentUuid') ?? '')
    if (chain !== undefined) this.#remember(record, chain)
  }

  chainOf(record: JsonObject, line: number): Chain {
    const chain = this.#knownChain(record) ?? this.#newChain(record, line)
    this.#remember(record, chain)
    return chain
  }

  /** The items as they may go out now: behind the conversation that they belong to, or not yet. */
  deliver(chain: Chain, items: readonly TranscriptItem[]): readonly TranscriptItem[] {
    if (chain.held !== null) {
      for (const item of items) chain.held.push(item)
      this.#heldLength += lengthOf(items)
      const isFull = chain.held.length > maximumHeld || this.#heldLength > maximumHeldLength
      return isFull ? this.release(chain) : []
    }
    if (chain.begun) return items
    chain.begun = true
    return [conversationOf(chain), ...items]
  }

  /** Takes note of calls that start agents, and of records that name an agent's call. */
  note(record: JsonObject, chain: Chain | null): readonly TranscriptItem[] {
    const content = listOf(fieldOf(record, 'message'), 'content')
    if (chain !== null) this.#noteCalls(content, chain)
    const result = content.find((block) => filledTextOf(block, 'tool_use_id') !== null)
    const callId = filledTextOf(result, 'tool_use_id') ?? filledTextOf(record, 'parentToolUseID')
    const data = fieldOf(record, 'toolUseResult') ?? fieldOf(record, 'data')
    const agentId = filledTextOf(data, 'agentId')
    return agentId === null || callId === null ? [] : this.#nameCall(agentId, callId, chain)
  }

  /** At the end of the file: what was held back in vain, and compactions without a summary. */
  end(): readonly Chain[] {
    return this.#main === null ? this.#sides : [this.#main, ...this.#sides]
  }

  /** Sends a chain that was held back on its way. */
  release(chain: Chain): readonly TranscriptItem[] {
    const items = chain.held ?? []
    chain.held = null
    if (items.length === 0) return []
    this.#heldLength -= lengthOf(items)
    chain.begun = true
    return [conversationOf(chain), ...items]
  }

  #noteCalls(content: readonly JsonValue[], chain: Chain): void {
    for (const block of content) {
      const call = agentCall(block, chain)
      if (call !== null) this.#calls.add(call)
    }
  }

  #remember(record: JsonObject, chain: Chain): void {
    const uuid = textOf(record, 'uuid')
    if (uuid !== null && isSide(record)) this.#chainOfUuid.set(uuid, chain)
  }

  #knownChain(record: JsonObject): Chain | null {
    if (!isSide(record)) return this.#main
    const agentId = filledTextOf(record, 'agentId')
    if (agentId !== null) return this.#chainOfAgent.get(agentId) ?? null
    return this.#chainOfUuid.get(textOf(record, 'parentUuid') ?? '') ?? null
  }

  #newChain(record: JsonObject, line: number): Chain {
    if (!isSide(record)) {
      this.#main = beginChain(this.#ids.take(this.#mainId()), null, record)
      return this.#main
    }
    const agentId = filledTextOf(record, 'agentId')
    const name = agentId === null ? `side-${textOf(record, 'uuid') ?? line}` : `agent-${agentId}`
    const chain = beginChain(this.#ids.take(`${this.#mainId()}/${name}`), agentId, record)
    this.#sides.push(chain)
    if (agentId !== null) this.#chainOfAgent.set(agentId, chain)
    this.#link(chain, record)
    return chain
  }

  #link(chain: Chain, record: JsonObject): void {
    const named = filledTextOf(record, 'parentToolUseID')
    const call =
      this.#callOfAgent.get(chain.agentId ?? '') ??
      this.#calls.ofId(named ?? '') ??
      this.#callByPrompt(chain, record)
    if (call !== undefined) this.#calls.claim(call)
    const callId = call?.callId ?? named
    chain.parent = {
      conversationId: call?.conversationId ?? this.#main?.id ?? this.#mainId(),
      callId,
    }
    // Without a main conversation in the file, no result can come that names the call.
    const mayBeNamed = chain.agentId !== null && this.#main !== null
    if (callId === null && mayBeNamed) chain.held = []
  }

  /** Agents of one prompt are told apart by their results; old chains just take their turn. */
  #callByPrompt(chain: Chain, record: JsonObject): AgentCall | undefined {
    const prompt = promptOf(record)
    if (prompt === null) return undefined
    return chain.agentId === null ? this.#calls.firstOf(prompt) : this.#calls.onlyOf(prompt)
  }

  #nameCall(agentId: string, callId: string, caller: Chain | null): readonly TranscriptItem[] {
    const conversationId = caller?.id ?? this.#main?.id ?? this.#mainId()
    const call = this.#calls.ofId(callId) ?? { callId, conversationId, prompt: null }
    this.#callOfAgent.set(agentId, call)
    const chain = this.#chainOfAgent.get(agentId)
    if (chain === undefined || chain.held === null) return []
    this.#calls.claim(call)
    chain.parent = { conversationId: call.conversationId, callId }
    return this.release(chain)
  }

  #mainId(): string {
    return this.#sessionId ?? this.#fallbackId
  }
}

function lengthOf(items: readonly TranscriptItem[]): number {
  return items.reduce((sum, item) => {
    const raw = item.kind === 'message' ? item.message.raw : undefined
    return sum + (raw?.length ?? 0)
  }, 0)
}

function conversationOf(chain: Chain): TranscriptConversation {
  const { id, parent, meta } = chain
  return conversationItem(id, { parent, meta })
}

function beginChain(id: string, agentId: string | null, record: JsonObject): Chain {
  const [cwd, gitBranch, version] = ['cwd', 'gitBranch', 'version'].map((key) =>
    filledTextOf(record, key),
  )
  const meta = metaOf({ cwd, gitBranch, version, agentId }) ?? null
  const state = { parent: null, begun: false, pending: null, held: null }
  return { id, agentId, meta, ...state }
}

function agentCall(block: JsonValue, chain: Chain): AgentCall | null {
  const callId = filledTextOf(block, 'id')
  const name = textOf(block, 'name')
  if (callId === null || (name !== 'Task' && name !== 'Agent')) return null
  const prompt = textOf(fieldOf(block, 'input'), 'prompt')
  const hash = prompt === null ? null : nameHash(prompt.trim())
  return { callId, conversationId: chain.id, prompt: hash }
}

function isSide(record: JsonObject): boolean {
  return fieldOf(record, 'isSidechain') === true
}

function promptOf(record: JsonObject): number | null {
  if (textOf(record, 'type') !== 'user') return null
  const content = fieldOf(fieldOf(record, 'message'), 'content')
  if (typeof content === 'string') return nameHash(content.trim())
  const texts = listOf(fieldOf(record, 'message'), 'content').map((block) => textOf(block, 'text'))
  const text = texts.find((found) => found !== null)
  return text === undefined || text === null ? null : nameHash(text.trim())
}

/**
 * The calls of a Claude Code file that start agents, found by their id, or by their
 * prompt while no agent has claimed them. Linear in their number: each is passed over
 * once, however many have the same prompt.
 */
interface AgentCall {
  readonly callId: string
  readonly conversationId: string
  /** Hash of it: prompts may be long. */
  readonly prompt: number | null
}

interface SamePrompt {
  readonly calls: AgentCall[]
  /** Calls before this place are claimed. */
  next: number
  unclaimed: number
}

class AgentCalls {
  readonly #callOfId = new Map<string, AgentCall>()
  readonly #callsOfPrompt = new Map<number, SamePrompt>()
  readonly #claimed = new Set<AgentCall>()

  add(call: AgentCall): void {
    // Of an id that stands twice the first is meant.
    if (!this.#callOfId.has(call.callId)) this.#callOfId.set(call.callId, call)
    if (call.prompt === null) return
    const same = this.#callsOfPrompt.get(call.prompt) ?? { calls: [], next: 0, unclaimed: 0 }
    this.#callsOfPrompt.set(call.prompt, same)
    same.calls.push(call)
    same.unclaimed += 1
  }

  ofId(callId: string): AgentCall | undefined {
    return this.#callOfId.get(callId)
  }

  /** The first unclaimed call with the prompt. */
  firstOf(prompt: number): AgentCall | undefined {
    const same = this.#callsOfPrompt.get(prompt)
    if (same === undefined) return undefined
    while (isIn(this.#claimed, same.calls[same.next])) same.next += 1
    return same.calls[same.next]
  }

  /** The unclaimed call with the prompt, if there is no other. */
  onlyOf(prompt: number): AgentCall | undefined {
    return this.#callsOfPrompt.get(prompt)?.unclaimed === 1 ? this.firstOf(prompt) : undefined
  }

  claim(call: AgentCall): void {
    if (this.#claimed.has(call)) return
    this.#claimed.add(call)
    const same = call.prompt === null ? undefined : this.#callsOfPrompt.get(call.prompt)
    if (same !== undefined) same.unclaimed -= 1
  }
}

function isIn(claimed: ReadonlySet<AgentCall>, call: AgentCall | undefined): boolean {
  return call !== undefined && claimed.has(call)
}
