/**
 * The calls of a Claude Code file that start agents, found by their id, or by their
 * prompt while no agent has claimed them. Linear in their number: each is passed over
 * once, however many have the same prompt.
 */

export interface AgentCall {
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

export class AgentCalls {
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
