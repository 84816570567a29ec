/** The follow-up of a receipt: which hidden files and names the later messages needed again. */
import type { Seq } from '../../domain/ids.ts'
import type { Fact, FactKind, MessageFacts } from '../../domain/ledger.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import type { Expansion, FollowUp, NeededNames, RecalledSpan } from '../../domain/receipt.ts'
import { anchorOf, type Span } from '../../domain/span.ts'
import { factsOf, fileKey } from '../../extract/message-facts.ts'
import { readArguments } from '../../extract/tool-arguments.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import { type Redact, redactJson } from '../redact/redact-message.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { textOfParts } from '../text/readable-text.ts'

interface FollowUpInput {
  readonly at: number
  /** The messages that were read. */
  readonly looked: Span
  readonly uses: UsesAfterCompaction
  readonly known: Awaited<ReturnType<typeof knownBeforeLine>>
  /** What the compacted context still showed. */
  readonly contextTexts: readonly string[]
  readonly expanded: readonly Expansion[]
  readonly redact: Redact
}

export function followUpOf(input: FollowUpInput): FollowUp {
  const { at, looked, uses, known, redact } = input
  const reopened = [...uses.opened]
    .flatMap(([key, places]) => {
      const path = known.files.get(key)
      return path === undefined ? [] : [{ path, places }]
    })
    .sort((left, right) => right.places.length - left.places.length)
  const recalled = recalledOf(input)
  return {
    at,
    looked,
    reopened: reopened.slice(0, maxListed).map(({ path, places }) => ({
      path: redact(path),
      times: places.length,
      places: places.slice(0, maxPlacesListed),
    })),
    reopenedFiles: reopened.length,
    recalled: recalled.slice(0, maxListed),
    recalls: recalled.reduce((sum, { times }) => sum + times, 0),
    names: neededNames(input),
  }
}

const maxListed = 50
const maxPlacesListed = 20

function recalledOf({ uses, expanded, redact }: FollowUpInput): readonly RecalledSpan[] {
  return [
    ...uses.recalled.map((one) => ({ ...one, about: redact(one.about) })),
    ...expanded.map(({ span, times }) => {
      const about = anchorOf(span)
      return { tool: 'expand', by: 'program', about, seq: null, times } as const
    }),
  ]
}

function neededNames({ uses, known, contextTexts, redact }: FollowUpInput): NeededNames {
  const used = [...uses.names.values()].filter(({ name }) => known.names.has(name))
  const isShownLater = (name: UsedName) =>
    uses.shownTexts.some(({ seq, text }) => seq < name.seq && isNamedIn(name, text))
  const needed = used.slice(0, maxNamesSearched).filter((name) => !isShownLater(name))
  const missing = needed.filter((name) => !contextTexts.some((text) => isNamedIn(name, text)))
  return {
    needed: needed.length,
    shown: needed.length - missing.length,
    missing: missing
      .slice(0, maxNamesListed)
      .map(({ name }) => redact(known.names.get(name) ?? name)),
  }
}

// Each name is searched in all shown texts, so their number is limited.
const maxNamesSearched = 400
const maxNamesListed = 20

/** A file counts as named if its base name occurs, in whatever folder. */
function isNamedIn({ name, kind }: UsedName, text: string): boolean {
  return text.includes(kind === 'file' ? bareName(name) : name)
}

interface UsedName {
  readonly name: string
  readonly kind: FactKind
  /** The message in which the assistant used it first. */
  readonly seq: Seq
}

/** Collects what the messages after a compaction used. Questions to recall are redacted here. */
export class UsesAfterCompaction {
  readonly opened = new Map<string, Seq[]>()
  readonly recalled: RecalledSpan[] = []
  readonly names = new Map<string, UsedName>()
  /** Texts of users and tools, oldest first, up to a limit. */
  readonly shownTexts: { readonly seq: Seq; readonly text: string }[] = []
  readonly #calls = new Map<string, ToolCallPart>()
  readonly #openedNames = new Map<string, readonly string[]>()
  readonly #redact: Redact
  #characters = 0

  constructor(redact: Redact) {
    this.#redact = redact
  }

  add(message: Pick<Message, 'seq' | 'role' | 'parts'>): void {
    for (const part of message.parts) {
      if (part.type === 'tool-call') this.#call(part, message.seq)
      if (part.type === 'tool-result') this.#result(part, message.seq)
    }
    // Beyond the limit, it is unknown whether a text had already shown a name.
    if (this.#characters > maxShownCharacters) return
    const { seq, role, parts } = message
    // Some providers put tool results into the assistant's own messages.
    if (role === 'assistant' && !parts.some(({ type }) => type === 'tool-result'))
      this.#name(factsOf(message, this.#calls).facts, seq)
    else {
      const text = textOfParts(parts)
      this.#characters += text.length
      this.shownTexts.push({ seq, text })
    }
  }

  #call(call: ToolCallPart, seq: Seq): void {
    this.#calls.set(call.callId, call)
    const tool = recallPattern.exec(call.name)?.[1]?.toLowerCase()
    if (tool !== 'recall' && tool !== 'expand') return
    const about = readArguments(redactJson(call.input, this.#redact))
      .values.join(', ')
      .slice(0, aboutCharacters)
    this.recalled.push({ tool, by: 'model', about: about.toWellFormed(), seq, times: 1 })
  }

  #result(result: ToolResultPart, seq: Seq): void {
    const use = readToolUse(this.#calls.get(result.callId) ?? null, result)
    if (use.outcome?.status === 'error') return
    for (const { path, did } of use.files) {
      if (did !== 'read') continue
      getOrMake(this.opened, this.#keyOf(fileKey(path)), (): Seq[] => []).push(seq)
    }
  }

  /** The known key of the same file, which may be named from another folder. */
  #keyOf(key: string): string {
    const names = this.#openedNames.get(bareName(key)) ?? []
    const known = names.find((name) => isSameFile(name, key))
    if (known === undefined) this.#openedNames.set(bareName(key), [...names, key])
    return known ?? key
  }

  #name(facts: readonly Fact[], seq: Seq): void {
    for (const fact of facts) {
      const name = nameIn(fact)
      if (name === null || this.names.has(name) || this.names.size >= maxNames) continue
      this.names.set(name, { name, kind: fact.kind, seq })
    }
  }
}

/** Also matches prefixed names such as `mcp__throughline__recall` and `memory.expand`. */
const recallPattern = /(?:^|[^a-z0-9])(recall|expand)$/i
const aboutCharacters = 200
const maxShownCharacters = 2_000_000
const maxNames = 2_000

const exactKinds: ReadonlySet<FactKind> = new Set([
  'file',
  'address',
  'symbol',
  'hash',
  'id',
  'version',
  'number',
  'amount',
  'date',
])
// Shorter names occur in every text.
const minNameCharacters = 3

/** The exact name in a fact, in the spelling for comparisons; null if the fact has none. */
function nameIn({ kind, key, label }: Fact): string | null {
  if (!exactKinds.has(kind)) return null
  const name = kind === 'file' ? key : label
  return name.length < minNameCharacters ? null : name
}

/** The used names and opened files in the facts before the line; stops once all are found. */
export async function knownBeforeLine(
  rows: AsyncIterable<MessageFacts>,
  uses: Pick<UsesAfterCompaction, 'names' | 'opened'>,
) {
  const names = new Map<string, string>()
  const files = new Map<string, string>()
  const namedFiles = Map.groupBy(
    [...uses.names.values()].filter(({ kind }) => kind === 'file').map(({ name }) => name),
    bareName,
  )
  const openedFiles = Map.groupBy(uses.opened.keys(), bareName)
  for await (const { facts } of rows) {
    for (const fact of facts) {
      const name = nameIn(fact)
      if (name === null) continue
      if (uses.names.has(name)) names.set(name, name)
      if (fact.kind !== 'file') continue
      for (const one of sameFiles(namedFiles, name)) names.set(one, name)
      if (isOpened(fact)) for (const one of sameFiles(openedFiles, name)) files.set(one, name)
    }
    if (names.size === uses.names.size && files.size === uses.opened.size) break
  }
  return { names, files }
}

function sameFiles(byName: ReadonlyMap<string, readonly string[]>, path: string) {
  return (byName.get(bareName(path)) ?? []).filter((one) => isSameFile(one, path))
}

function isOpened({ value }: Fact): boolean {
  return value !== '' && value !== 'found' && !value.endsWith(', failed')
}

function bareName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Equal, or one path ends with the other, at a folder boundary. */
function isSameFile(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.includes('/') && long.endsWith(short.startsWith('/') ? short : `/${short}`)
}
