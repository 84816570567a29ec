/**
 * Finds a conversation by its id, a prefix of it, or a part of its id or title if only one matches; or the
 * last one.
 */
import type { Conversation, ConversationHandle, ConversationId, Span } from '../index.ts'
import {
  conversationId,
  type ListedConversation,
  loadConversation,
  loadRequests,
  type TenantStore,
} from '../stores/index.ts'
import { type Arguments, typedCommand } from './command.ts'
import { type Ending, notDone, type Outcome, WrongUsage } from './ending.ts'
import type { EngineOptions, OpenEngine } from './open-engine.ts'
import { isStoreThere, type OpenStore, withStore } from './open-store.ts'
import { cutTo } from './screen/cells.ts'
import { safeLine } from './screen/safe-text.ts'
import { styleOf } from './screen/style.ts'
import { settle } from './screen/tell.ts'
import { readSettings } from './settings/read-settings.ts'
import type { World } from './world.ts'

/** `name`: null for the last. `rest`: the words after the name. */
export type Asked = Readonly<{ name: string | null; rest: readonly string[] }>

function askedConversation({ has, positionals }: Arguments, world: World): Asked {
  if (has('last')) return { name: null, rest: positionals }
  const [name, ...rest] = positionals
  if (name !== undefined) return { name, rest }
  const hint = `${typedCommand('list', world)} shows them`
  throw new WrongUsage(`name a conversation, or say --last; ${hint}`)
}

/** Without this check, `compact x preview` would compact. */
export function nothingBehind([word]: Asked['rest']): void {
  if (word === undefined) return
  throw new WrongUsage(`"${word}" is a word too many; a name with spaces stands in quotes`)
}

export async function findConversation(
  store: TenantStore,
  name: Asked['name'],
  world: World,
): Promise<Conversation | Ending> {
  if (name === null) return newest(store, world)
  // Mostly an unset variable of a script; as a part of a name it would match all.
  if (name.trim() === '') throw new WrongUsage('the name of a conversation is empty')
  const exact = isId(name) ? await loadConversation(store, name) : null
  if (exact !== null) return exact
  const candidates = await matching(store, name)
  const [only] = candidates
  if (only === undefined) {
    const hint = `${typedCommand('list', world)} shows all`
    return notDone('NOT_FOUND', `there is no conversation "${name}"; ${hint}`)
  }
  if (candidates.length === 1) return only
  const shown = candidates.slice(0, candidatesShown)
  const left = candidates.length - shown.length
  const lines = [...shown.map(described), ...(left > 0 ? [`  and ${left} more`] : [])]
  const message = `"${name}" may be one of ${candidates.length}:\n${lines.join('\n')}`
  return notDone('AMBIGUOUS', message, { candidates: shown.map(({ id }) => id) })
}

export async function* allConversations(store: TenantStore): AsyncGenerator<Conversation> {
  let page: readonly ListedConversation[] = []
  do {
    const after = page.at(-1)?.conversation.id ?? null
    page = await store.list({ by: 'id', after, limit: pageSize, parent: null })
    yield* page.map(({ conversation }) => conversation)
  } while (page.length === pageSize)
}

const pageSize = 500
const fewLatest = 20
const candidatesShown = 10

/** Parts count only where no id begins with the name. */
async function matching(store: TenantStore, name: string): Promise<readonly Conversation[]> {
  const prefixed: Conversation[] = []
  const partly: Conversation[] = []
  const wanted = name.toLowerCase()
  for await (const conversation of allConversations(store)) {
    const { id, title } = conversation
    if (id.startsWith(name)) prefixed.push(conversation)
    else if (`${id}\n${title ?? ''}`.toLowerCase().includes(wanted)) partly.push(conversation)
  }
  return prefixed.length > 0 ? withoutChildren(prefixed) : partly
}

/** Agents have ids below their parent's: its prefix means the parent. */
function withoutChildren(found: readonly Conversation[]): readonly Conversation[] {
  const main = found.find(({ id }) =>
    found.every((other) => other.id === id || other.id.startsWith(`${id}/`)),
  )
  return main === undefined ? found : [main]
}

async function newest(store: TenantStore, world: World): Promise<Conversation | Ending> {
  // Nearly always one of these; all are loaded only where none was answered.
  for (const limit of [fewLatest, null])
    for (const { conversation } of await store.list({ by: 'latest', limit }))
      if (await isAnswered(store, conversation)) return conversation
  const [first] = await store.list({ by: 'latest', limit: 1 })
  if (first !== undefined) return first.conversation
  const how = `${typedCommand('import FILE', world)} brings some`
  return notDone('NOT_FOUND', `there is no conversation yet; ${how}`)
}

function described({ id, title }: Conversation): string {
  return `  ${safeLine(id)}  ${cutTo(safeLine(title ?? ''), 60, '…')}`.trimEnd()
}

export function isId(name: string): name is ConversationId {
  try {
    return conversationId(name) === name
  } catch {
    return false
  }
}

/** False for a chat whose model never answered: `--last` does not mean that one. */
async function isAnswered(store: TenantStore, { id, head }: Conversation): Promise<boolean> {
  // So many messages were answered, and a log may be long.
  if (head > fewMessages) return true
  const messages = (await store.read({ id, span: { from: 0, to: head } })) ?? []
  if (messages.some(({ role }) => role !== 'user')) return true
  // An import may hold only words of people: no model was asked there.
  const requests = (await loadRequests(store, { id, limit: 1 })) ?? []
  return requests.length === 0
}

const fewMessages = 20

export async function lastActivity(
  store: TenantStore,
  { id, head, createdAt }: Conversation,
): Promise<number> {
  if (head === 0) return createdAt
  const [last] = (await store.read({ id, before: head, limit: 1 })) ?? []
  return last?.createdAt ?? createdAt
}

/** Null where `words` is empty. */
export function askedSpan(words: readonly string[]): Span | null {
  const [word, extra] = words
  if (word === undefined) return null
  if (extra !== undefined) throw new WrongUsage(`one place or one run of them, not also "${extra}"`)
  const match = /^#?(\d{1,15})(?:-#?(\d{1,15}))?$/.exec(word)
  if (match === null)
    throw new WrongUsage(`a place is a number, as 12, or two of them, as 12-20; not "${word}"`)
  const [from, last] = [Number(match[1]), Number(match[2] ?? match[1])]
  if (last < from) throw new WrongUsage(`"${word}" ends before it begins`)
  return { from, to: last + 1 }
}

export function noStore(file: string, world: World): Ending {
  return notDone('NOT_FOUND', noStoreText(file, world), { store: file })
}

export function noStoreText(file: string, world: World): string {
  const [bring, begin] = [typedCommand('import FILE', world), typedCommand('chat', world)]
  return `there is no store at ${file} yet; ${bring} or ${begin} begins one`
}

interface Found {
  readonly conversation: Conversation
  readonly rest: readonly string[]
}

export interface FoundHandle extends Found {
  readonly chat: ConversationHandle
}

export function onStored(
  args: Arguments,
  world: World,
  use: (found: Found & OpenStore) => Promise<Outcome>,
): Promise<Outcome> {
  return withStore(args, world, async (open) => {
    const asked = askedConversation(args, world)
    if (!open.isThere) return noStore(open.settings.store, world)
    const found = await foundBy(asked, open.store, args, world)
    return 'exitCode' in found ? found : use({ ...open, ...found })
  })
}

type Unless = (open: OpenEngine, asked: Asked) => Promise<Outcome | null>

/** `unless` runs before the conversation is looked for; its outcome ends the command. */
export async function onHandle(
  args: Arguments,
  world: World,
  { unless, ...options }: EngineOptions & { readonly unless?: Unless },
  use: (found: FoundHandle & OpenEngine) => Promise<Outcome>,
): Promise<Ending> {
  const asked = askedConversation(args, world)
  const { store: file } = readSettings(args, world).values
  if (!isStoreThere(file)) return noStore(file, world)
  // Commands that only read do not load the engine.
  const { withEngine } = await import('./open-engine.ts')
  const answer = async (open: OpenEngine): Promise<Outcome> => {
    const ended = (await unless?.(open, asked)) ?? null
    if (ended !== null) return ended
    const found = await foundBy(asked, open.store, args, world)
    if ('exitCode' in found) return found
    return use({ ...open, ...found, chat: open.tl.conversation(found.conversation.id) })
  }
  // Written before the engine closes, which may wait for background work.
  const settled = async (open: OpenEngine) => settle(args, world, await answer(open))
  return withEngine(args, world, settled, options)
}

/** An abbreviated name is resolved on stderr, since stdout may be a file. */
async function foundBy(
  { name, rest }: Asked,
  store: TenantStore,
  { json }: Arguments,
  world: World,
): Promise<Found | Ending> {
  const conversation = await findConversation(store, name, world)
  if ('exitCode' in conversation) return conversation
  if (!json && name !== conversation.id) {
    const how = name === null ? 'last' : `"${safeLine(name)}"`
    const { stderr } = world
    await stderr.write(`${styleOf(stderr).dim(`${how}: ${safeLine(conversation.id)}`)}\n`)
  }
  return { conversation, rest }
}
