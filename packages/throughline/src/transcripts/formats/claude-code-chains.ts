/**
 * Which conversation a Claude Code record belongs to, and which call began it.
 *
 * A file interleaves one main conversation and any number of side chains: agents that a Task or Agent call
 * started. New files name the agent in each record; old ones only point at the previous record. The call
 * is the first of: the one whose result or progress record named the agent, the one that the record names,
 * the only unclaimed call with the prompt that the chain begins with.
 *
 * A result names its agent only after the chain has run. A chain whose call may still be named so is held
 * back, within bounds; every other chain streams.
 */
import type { JsonObject } from '../../index.ts'
import { metaOf } from '../json/json-access.ts'
import type { JsonNode } from '../json/raw-json.ts'
import { limits } from '../limits-data.ts'
import { nameHash, RecentNames, UniqueNames } from '../names.ts'
import {
  conversationItem,
  type TranscriptCompaction,
  type TranscriptConversation,
  type TranscriptItem,
} from '../transcript.ts'

export interface Chain {
  readonly id: string
  readonly agentId: string | null
  readonly meta: JsonObject | null
  parent: TranscriptConversation['parent']
  isStarted: boolean
  /** The file has announced this compaction but not yet given its summary. */
  announced: Pick<TranscriptCompaction, 'trigger' | 'tokensBefore' | 'line'> | null
  /** Items that wait until the call of the chain is known; null where they need not wait. */
  held: TranscriptItem[] | null
}

export class Chains {
  readonly #fallbackId: string
  #sessionId: string | null = null
  #main: Chain | null = null
  readonly #sides: Chain[] = []
  readonly #ids = new UniqueNames()
  readonly #chainOfAgent = new Map<string, Chain>()
  readonly #chainOfUuid = new RecentNames<Chain>(limits.recordsKept)
  readonly #calls = new AgentCalls()
  readonly #callOfAgent = new Map<string, AgentCall>()
  #heldLength = 0

  constructor(fallbackId: string) {
    this.#fallbackId = fallbackId
  }

  /** Called first for every record, also those that become no message. */
  follow(record: JsonNode): void {
    this.#sessionId ??= record.filled('sessionId')
    const chain = this.#chainOfUuid.get(record.text('parentUuid') ?? '')
    if (chain !== undefined) this.#remember(record, chain)
  }

  chainOf(record: JsonNode, line: number): Chain {
    const chain = this.#knownChain(record) ?? this.#newChain(record, line)
    this.#remember(record, chain)
    return chain
  }

  /** Returns the items that may be emitted now, after their conversation. */
  deliver(chain: Chain, items: readonly TranscriptItem[]): readonly TranscriptItem[] {
    if (chain.held !== null) {
      for (const item of items) chain.held.push(item)
      this.#heldLength += lengthOf(items)
      const isFull = chain.held.length > limits.heldItems || this.#heldLength > limits.heldLength
      return isFull ? this.release(chain) : []
    }
    if (chain.isStarted) return items
    chain.isStarted = true
    return [conversationItem(chain.id, chain), ...items]
  }

  /** Remembers calls that start agents, and records that name an agent's call. */
  learnCalls(record: JsonNode, chain: Chain | null): readonly TranscriptItem[] {
    const content = record.field('message').list('content')
    if (chain !== null) this.#addCalls(content, chain)
    const result = content.find((block) => block.filled('tool_use_id') !== null)
    const callId = result?.filled('tool_use_id') ?? record.filled('parentToolUseID')
    const hasResult = (record.get('toolUseResult') ?? null) !== null
    const agentId = record.field(hasResult ? 'toolUseResult' : 'data').filled('agentId')
    return agentId === null || callId === null ? [] : this.#nameCall(agentId, callId, chain)
  }

  /** At the end of the file. */
  end(): readonly Chain[] {
    return this.#main === null ? this.#sides : [this.#main, ...this.#sides]
  }

  release(chain: Chain): readonly TranscriptItem[] {
    const items = chain.held ?? []
    chain.held = null
    if (items.length === 0) return []
    this.#heldLength -= lengthOf(items)
    chain.isStarted = true
    return [conversationItem(chain.id, chain), ...items]
  }

  #addCalls(content: readonly JsonNode[], chain: Chain): void {
    for (const block of content) {
      const call = agentCall(block, chain)
      if (call !== null) this.#calls.add(call)
    }
  }

  #remember(record: JsonNode, chain: Chain): void {
    const uuid = record.text('uuid')
    if (uuid !== null && isSide(record)) this.#chainOfUuid.set(uuid, chain)
  }

  #knownChain(record: JsonNode): Chain | null {
    if (!isSide(record)) return this.#main
    const agentId = record.filled('agentId')
    if (agentId !== null) return this.#chainOfAgent.get(agentId) ?? null
    return this.#chainOfUuid.get(record.text('parentUuid') ?? '') ?? null
  }

  #newChain(record: JsonNode, line: number): Chain {
    if (!isSide(record)) {
      this.#main = beginChain(this.#ids.take(this.#mainId()), null, record)
      return this.#main
    }
    const agentId = record.filled('agentId')
    const name = agentId === null ? `side-${record.text('uuid') ?? line}` : `agent-${agentId}`
    const chain = beginChain(this.#ids.take(`${this.#mainId()}/${name}`), agentId, record)
    this.#sides.push(chain)
    if (agentId !== null) this.#chainOfAgent.set(agentId, chain)
    this.#link(chain, record)
    return chain
  }

  #link(chain: Chain, record: JsonNode): void {
    const namedCallId = record.filled('parentToolUseID')
    const call =
      this.#callOfAgent.get(chain.agentId ?? '') ??
      this.#calls.ofId(namedCallId ?? '') ??
      this.#callByPrompt(chain, record)
    if (call !== undefined) this.#calls.claim(call)
    const callId = call?.callId ?? namedCallId
    const conversationId = call?.conversationId ?? this.#main?.id ?? this.#mainId()
    chain.parent = { conversationId, callId }
    // Without a main conversation in the file, no result can name the call.
    const mayBeNamed = chain.agentId !== null && this.#main !== null
    if (callId === null && mayBeNamed) chain.held = []
  }

  /** Results distinguish agents that have the same prompt; old chains get calls in order. */
  #callByPrompt(chain: Chain, record: JsonNode): AgentCall | undefined {
    const prompt = promptOf(record)
    if (prompt === null) return undefined
    return chain.agentId === null ? this.#calls.firstOf(prompt) : this.#calls.onlyOf(prompt)
  }

  #nameCall(agentId: string, callId: string, caller: Chain | null): readonly TranscriptItem[] {
    const conversationId = caller?.id ?? this.#main?.id ?? this.#mainId()
    const known = this.#calls.ofId(callId)
    const call = known ?? { callId, conversationId, prompt: null, claimed: false }
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

function beginChain(id: string, agentId: string | null, record: JsonNode): Chain {
  const [cwd, gitBranch, version] = ['cwd', 'gitBranch', 'version'].map((key) => record.filled(key))
  const meta = metaOf({ cwd, gitBranch, version, agentId }) ?? null
  return { id, agentId, meta, parent: null, isStarted: false, announced: null, held: null }
}

function agentCall(block: JsonNode, chain: Chain): AgentCall | null {
  const callId = block.filled('id')
  const name = block.text('name')
  if (callId === null || (name !== 'Task' && name !== 'Agent')) return null
  const prompt = block.field('input').text('prompt')
  const hash = prompt === null ? null : nameHash(prompt.trim())
  return { callId, conversationId: chain.id, prompt: hash, claimed: false }
}

function isSide(record: JsonNode): boolean {
  return record.get('isSidechain') === true
}

function promptOf(record: JsonNode): number | null {
  if (record.text('type') !== 'user') return null
  const content = record.field('message').field('content')
  const texts = content.items.map((block) => block.text('text'))
  const text = content.asText ?? texts.find((found) => found !== null) ?? null
  return text === null ? null : nameHash(text.trim())
}

interface AgentCall {
  readonly callId: string
  readonly conversationId: string
  /** A hash: prompts may be long. */
  readonly prompt: number | null
  claimed: boolean
}

interface SamePrompt {
  readonly calls: AgentCall[]
  /** Calls before this index are claimed. */
  next: number
  unclaimed: number
}

/**
 * The calls of a file that start agents, found by their id, or by their prompt while unclaimed. Linear in
 * their number: each is visited once, however many share a prompt.
 */
class AgentCalls {
  readonly #callOfId = new Map<string, AgentCall>()
  readonly #callsOfPrompt = new Map<number, SamePrompt>()

  add(call: AgentCall): void {
    // The first of two equal ids wins.
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

  firstOf(prompt: number): AgentCall | undefined {
    const same = this.#callsOfPrompt.get(prompt)
    if (same === undefined) return undefined
    while (same.calls[same.next]?.claimed) same.next += 1
    return same.calls[same.next]
  }

  /** Undefined where several unclaimed calls have the prompt. */
  onlyOf(prompt: number): AgentCall | undefined {
    return this.#callsOfPrompt.get(prompt)?.unclaimed === 1 ? this.firstOf(prompt) : undefined
  }

  claim(call: AgentCall): void {
    if (call.claimed) return
    call.claimed = true
    const same = call.prompt === null ? undefined : this.#callsOfPrompt.get(call.prompt)
    if (same !== undefined) same.unclaimed -= 1
  }
}
