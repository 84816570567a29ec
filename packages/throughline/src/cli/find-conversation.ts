/** Finds by id, prefix of an id, unique part of id or title, or the most recently active. */
import type { Conversation, ConversationHandle, ConversationId, Span } from '../index.ts'
import {
  conversationId,
  type ListedConversation,
  loadConversation,
  loadRequests,
  type TenantStore,
} from '../stores/index.ts'
import { type Arguments, typedCommand } from './command.ts'
import { type ExitResult, failWith, type Outcome, UsageError } from './exit-result.ts'
import type { EngineOptions, OpenEngine } from './open-engine.ts'
import { type OpenStore, storeExists, withStore } from './open-store.ts'
import { cutTo } from './screen/cells.ts'
import { safeLine } from './screen/safe-text.ts'
import { styleOf } from './screen/style.ts'
import { writeOutcome } from './screen/write-outcome.ts'
import { readSettings } from './settings/read-settings.ts'
import type { World } from './world.ts'

/** `name`: null for `--last`. `rest`: the words after the name. */
export type ConversationWords = Readonly<{ name: string | null; rest: readonly string[] }>

function parseConversation({ has, positionals }: Arguments, world: World): ConversationWords {
  if (has('last')) return { name: null, rest: positionals }
  const [name, ...rest] = positionals
  if (name !== undefined) return { name, rest }
  const hint = `${typedCommand('list', world)} lists them`
  throw new UsageError(`which conversation? Give a name or --last; ${hint}`)
}

/** Without this check, `compact x preview` would compact. */
export function refuseExtraWords([word]: ConversationWords['rest']): void {
  if (word === undefined) return
  throw new UsageError(`unexpected word "${word}"; put a name with spaces in quotes`)
}

export async function findConversation(
  store: TenantStore,
  name: ConversationWords['name'],
  world: World,
): Promise<Conversation | ExitResult> {
  if (name === null) return newest(store, world)
  // Usually an unset variable in a script; an empty part would match every name.
  if (name.trim() === '') throw new UsageError('the conversation name is empty')
  const exact = isId(name) ? await loadConversation(store, name) : null
  if (exact !== null) return exact
  // A part of an id or title counts only if no id starts with the name.
  const prefixed: Conversation[] = []
  const partly: Conversation[] = []
  const wanted = name.toLowerCase()
  for await (const conversation of allConversations(store)) {
    const { id, title } = conversation
    if (id.startsWith(name)) prefixed.push(conversation)
    else if (`${id}\n${title ?? ''}`.toLowerCase().includes(wanted)) partly.push(conversation)
  }
  const candidates = prefixed.length > 0 ? withoutChildren(prefixed) : partly
  const [only] = candidates
  const see = `see ${typedCommand('list', world)}`
  if (only === undefined) return failWith('NOT_FOUND', `no conversation matches "${name}"; ${see}`)
  return candidates.length === 1 ? only : severalMatch(name, candidates)
}

export function severalMatch(
  name: string,
  candidates: readonly Readonly<{ id: string; title: string | null }>[],
): ExitResult {
  const shown = candidates.slice(0, candidatesShown)
  const left = candidates.length - shown.length
  const lines = shown.map(({ id, title }) =>
    `  ${safeLine(id)}  ${cutTo(safeLine(title ?? ''), 60, '…')}`.trimEnd(),
  )
  const message = `"${name}" matches ${candidates.length} conversations:\n${lines.join('\n')}`
  const more = left > 0 ? `\n  and ${left} more` : ''
  return failWith('AMBIGUOUS', `${message}${more}`, { candidates: shown.map(({ id }) => id) })
}

export async function* allConversations(store: TenantStore): AsyncGenerator<Conversation> {
  let page: readonly ListedConversation[] = []
  do {
    const after = page.at(-1)?.conversation.id ?? null
    page = await store.list({ by: 'id', after, limit: pageSize, parent: null })
    yield* page.map(({ conversation }) => conversation)
  } while (page.length === pageSize)
}

/** A short prefix of an id that names only this conversation; it ends with a word if possible. */
export async function shortId(store: TenantStore, { conversation: { id } }: ListedConversation) {
  if (id.length <= wholeIdLength) return id
  for (const length of prefixLengths(id)) {
    const prefix = id.slice(0, length)
    if (isId(prefix) && (await isUnique(store, prefix))) return prefix
  }
  return id
}

const wholeIdLength = 24
const shortestPrefix = 8

function* prefixLengths(id: string): Generator<number> {
  const words = [...id.matchAll(/[-_./:~]/g)].map(({ index }) => index)
  yield* words.filter((length) => length >= shortestPrefix && length <= wholeIdLength)
  for (let length = shortestPrefix + 4; length < id.length; length += 4) yield length
}

async function isUnique(store: TenantStore, prefix: ConversationId): Promise<boolean> {
  if ((await loadConversation(store, prefix)) !== null) return false
  const next = await store.list({ by: 'id', after: prefix, limit: 2, parent: null })
  return next.filter(({ conversation }) => conversation.id.startsWith(prefix)).length === 1
}

const pageSize = 500
const fewLatest = 20
const candidatesShown = 10

/** Ids of agents start with the id of their parent: such a prefix means the parent. */
function withoutChildren(found: readonly Conversation[]): readonly Conversation[] {
  const main = found.find(({ id }) =>
    found.every((other) => other.id === id || other.id.startsWith(`${id}/`)),
  )
  return main === undefined ? found : [main]
}

async function newest(store: TenantStore, world: World): Promise<Conversation | ExitResult> {
  // Nearly always one of the first 20; all are loaded only if none of those has an answer.
  for (const limit of [fewLatest, null])
    for (const { conversation } of await store.list({ by: 'latest', limit }))
      if (await isAnswered(store, conversation)) return conversation
  const [first] = await store.list({ by: 'latest', limit: 1 })
  if (first !== undefined) return first.conversation
  const how = `${typedCommand('import FILE', world)} imports one`
  return failWith('NOT_FOUND', `the store has no conversations yet; ${how}`)
}

export function isId(name: string): name is ConversationId {
  try {
    return conversationId(name) === name
  } catch {
    return false
  }
}

/** False for a chat whose model never answered: `--last` skips it. */
async function isAnswered(store: TenantStore, { id, head }: Conversation): Promise<boolean> {
  // A conversation this long has answers, and reading all of it would be slow.
  if (head > fewMessages) return true
  const messages = (await store.read({ id, span: { from: 0, to: head } })) ?? []
  if (messages.some(({ role }) => role !== 'user')) return true
  // An import may contain only messages of people, with no request to a model.
  const requests = (await loadRequests(store, { id, limit: 1 })) ?? []
  return requests.length === 0
}

const fewMessages = 20

export async function lastActivity(store: TenantStore, { id, head, createdAt }: Conversation) {
  if (head === 0) return createdAt
  const [last] = (await store.read({ id, before: head, limit: 1 })) ?? []
  return last?.createdAt ?? createdAt
}

/** Null if `words` is empty. */
export function parseSpan(words: readonly string[]): Span | null {
  const [word, extra] = words
  if (word === undefined) return null
  if (extra !== undefined)
    throw new UsageError(`one message number or one range, not also "${extra}"`)
  const match = /^#?(\d{1,15})(?:-#?(\d{1,15}))?$/.exec(word)
  if (match === null)
    throw new UsageError(`invalid message number "${word}"; use 12 or a range such as 12-20`)
  const [from, last] = [Number(match[1]), Number(match[2] ?? match[1])]
  if (last < from) throw new UsageError(`invalid range "${word}": it ends before it starts`)
  return { from, to: last + 1 }
}

export function noStore(file: string, world: World): ExitResult {
  return failWith('NOT_FOUND', noStoreText(file, world), { store: file })
}

export function noStoreText(file: string, world: World): string {
  const commands = `${typedCommand('import FILE', world)} or ${typedCommand('chat', world)}`
  return `no store at ${file} yet; ${commands} creates one`
}

interface Found {
  readonly conversation: Conversation
  readonly rest: readonly string[]
}

export interface FoundHandle extends Found {
  readonly chat: ConversationHandle
}

export function withConversation(
  args: Arguments,
  world: World,
  use: (found: Found & OpenStore) => Promise<Outcome>,
): Promise<Outcome> {
  return withStore(args, world, async (open) => {
    const asked = parseConversation(args, world)
    if (!open.exists) return noStore(open.settings.store, world)
    const found = await foundBy(asked, open.store, args, world)
    return 'exitCode' in found ? found : use({ ...open, ...found })
  })
}

type Unless = (open: OpenEngine, asked: ConversationWords) => Promise<Outcome | null>

/** `unless` runs before the search for the conversation; its outcome ends the command. */
export async function withHandle(
  args: Arguments,
  world: World,
  { unless, ...options }: EngineOptions & { readonly unless?: Unless },
  use: (found: FoundHandle & OpenEngine) => Promise<Outcome>,
): Promise<ExitResult> {
  const asked = parseConversation(args, world)
  const { store: file } = readSettings(args, world).values
  if (!storeExists(file)) return noStore(file, world)
  // Commands that only read do not load the engine.
  const { withEngine } = await import('./open-engine.ts')
  const answer = async (open: OpenEngine): Promise<Outcome> => {
    const early = (await unless?.(open, asked)) ?? null
    if (early !== null) return early
    const found = await foundBy(asked, open.store, args, world)
    if ('exitCode' in found) return found
    return use({ ...open, ...found, chat: open.tl.conversation(found.conversation.id) })
  }
  // Written before the engine closes, because closing may wait for background work.
  const answerAndWrite = async (open: OpenEngine) => writeOutcome(args, world, await answer(open))
  return withEngine(args, world, answerAndWrite, options)
}

/** Prints the full id of an abbreviated name on stderr, since stdout may be a file. */
async function foundBy(
  { name, rest }: ConversationWords,
  store: TenantStore,
  { json }: Arguments,
  world: World,
): Promise<Found | ExitResult> {
  const conversation = await findConversation(store, name, world)
  if ('exitCode' in conversation) return conversation
  if (!json && name !== conversation.id) {
    const how = name === null ? 'last' : `"${safeLine(name)}"`
    const { stderr } = world
    await stderr.write(`${styleOf(stderr).dim(`${how}: ${safeLine(conversation.id)}`)}\n`)
  }
  return { conversation, rest }
}
