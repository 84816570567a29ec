/**
 * What the messages behind a compaction used: files that were read, what was recalled or
 * expanded, names in the assistant's words and calls, and what users and tools said. Message
 * by message, in the order of the log. Of names and files only those are told that stand in
 * rows of facts, which have no secrets; what was asked for has its own taken out here.
 */
import type { Fact, FactKind } from '../../domain/fact.ts'
import type { RecalledSpan } from '../../domain/hindsight.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { factsOf, fileKey } from '../../extract/message-facts.ts'
import { readArguments } from '../../extract/tool-arguments.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import type { Redact } from '../redact/redactor.ts'
import { redactedJson } from '../redact/redactor.ts'
import { textOfParts } from '../text/message-text.ts'
import { bareName, isSameFile } from './file-names.ts'

type Told = Pick<Message, 'seq' | 'role' | 'parts'>

export interface UsedName {
  readonly name: string
  readonly kind: FactKind
  /** Where the assistant used it first. */
  readonly seq: Seq
}

export class UsesSince {
  /** Places where files were read, by their keys. */
  readonly opened = new Map<string, Seq[]>()
  readonly recalled: RecalledSpan[] = []
  /** In the order of their first use. */
  readonly names = new Map<string, UsedName>()
  /** What users and tools said, oldest first, as far as it was kept. */
  readonly said: { readonly seq: Seq; readonly text: string }[] = []
  readonly #calls = new Map<string, ToolCallPart>()
  readonly #openedNames = new Map<string, readonly string[]>()
  readonly #redact: Redact
  #characters = 0

  constructor(redact: Redact) {
    this.#redact = redact
  }

  add(message: Told): void {
    for (const part of message.parts) {
      if (part.type === 'tool-call') this.#call(part, message.seq)
      if (part.type === 'tool-result') this.#result(part, message.seq)
    }
    // Names that come behind what is not kept cannot be told to be needed.
    if (this.#characters > saidCharacters) return
    if (isOfAssistant(message)) {
      this.#name(factsOf(message, this.#calls).facts, message.seq)
      return
    }
    const text = textOfParts(message.parts)
    this.#characters += text.length
    this.said.push({ seq: message.seq, text })
  }

  #call(call: ToolCallPart, seq: Seq): void {
    this.#calls.set(call.callId, call)
    const tool = recallPattern.exec(call.name)?.[1]?.toLowerCase()
    if (tool !== 'recall' && tool !== 'expand') return
    const about = readArguments(redactedJson(call.input, this.#redact))
      .values.join(', ')
      .slice(0, aboutCharacters)
    this.recalled.push({ tool, by: 'model', about: about.toWellFormed(), seq, times: 1 })
  }

  #result(result: ToolResultPart, seq: Seq): void {
    const use = readToolUse(this.#calls.get(result.callId) ?? null, result)
    if (use.outcome?.status === 'error') return
    for (const { path, did } of use.files) {
      if (did !== 'read') continue
      const key = this.#keyOf(fileKey(path))
      const places = this.opened.get(key)
      if (places === undefined) this.opened.set(key, [seq])
      else places.push(seq)
    }
  }

  /** The key that the file has already, under whichever of its names. */
  #keyOf(key: string): string {
    const names = this.#openedNames.get(bareName(key)) ?? []
    const known = names.find((name) => isSameFile(name, key))
    if (known === undefined) this.#openedNames.set(bareName(key), [...names, key])
    return known ?? key
  }

  #name(facts: readonly Fact[], seq: Seq): void {
    for (const fact of facts) {
      const name = nameIn(fact)
      if (name === null || this.names.has(name) || this.names.size >= mostNames) continue
      this.names.set(name, { name, kind: fact.kind, seq })
    }
  }
}

/** Some providers' results of tools stand in the assistant's own messages. */
function isOfAssistant({ role, parts }: Told): boolean {
  return role === 'assistant' && !parts.some(({ type }) => type === 'tool-result')
}

/** `mcp__throughline__recall` and `memory.expand` are those tools too. */
const recallPattern = /(?:^|[^a-z0-9])(recall|expand)$/i
const aboutCharacters = 200
const saidCharacters = 2_000_000
const mostNames = 2_000

const exactKinds: ReadonlySet<FactKind> = new Set([
  ...(['file', 'address', 'symbol', 'hash', 'id'] as const),
  ...(['version', 'number', 'amount', 'date'] as const),
])
// What is shorter stands in every text.
const leastCharacters = 3

/** What a fact names exactly, in the spelling by which it is compared; null for what is no such name. */
export function nameIn({ kind, key, label }: Fact): string | null {
  if (!exactKinds.has(kind)) return null
  const name = kind === 'file' ? key : label
  return name.length < leastCharacters ? null : name
}
