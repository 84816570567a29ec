/** The conversations of the store, latest first. */
import type { Conversation } from '../../index.ts'
import type { ListedConversation, TenantStore } from '../../stores/index.ts'
import { type Run, typedCommand } from '../command.ts'
import { allConversations, noStoreText } from '../find-conversation.ts'
import { withStore } from '../open-store.ts'
import { cutTo } from '../screen/cells.ts'
import { ago, grouped } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { drawTable } from '../screen/table.ts'
import type { World } from '../world.ts'

export const list: Run = (args, world) => {
  const limit = args.has('all') ? Number.POSITIVE_INFINITY : (args.number('limit') ?? 20)
  const wanted = args.positionals.join(' ').toLowerCase()
  const matches = ({ id, title, parent }: Conversation) =>
    (parent === null || args.has('children')) &&
    `${id}\n${title ?? ''}`.toLowerCase().includes(wanted)
  return withStore(args, world, async ({ store, settings, isThere }) => {
    const shown = await latestOf(store, matches, limit)
    const total = await countOf(store, matches, world)
    const lines = () => {
      if (!isThere) return [`${noStoreText(settings.store, world).replace(/^t/, 'T')}.`]
      return total === 0 ? noneYet(wanted, world) : tableOf(shown, total, world)
    }
    return { json: { conversations: shown.map(asJson), total }, lines }
  })
}

const mostAsked = 1_000_000

type Matches = (conversation: Conversation) => boolean

/** Reads few conversations where nearly all match. */
async function latestOf(
  store: TenantStore,
  matches: Matches,
  limit: number,
): Promise<readonly ListedConversation[]> {
  for (let asked = 2 * limit + 100; ; asked *= 8) {
    const latest = await store.list({ by: 'latest', limit: asked < mostAsked ? asked : null })
    const found = latest.filter(({ conversation }) => matches(conversation))
    if (found.length >= limit || latest.length < asked) return found.slice(0, limit)
  }
}

/** A page at a time: a store may hold more conversations than memory. */
async function countOf(store: TenantStore, matches: Matches, { signal }: World): Promise<number> {
  let count = 0
  for await (const conversation of allConversations(store)) {
    signal.throwIfAborted()
    if (matches(conversation)) count += 1
  }
  return count
}

function asJson({ conversation, lastAt }: ListedConversation) {
  const { id, title, head, pins, parent, forkedFrom, createdAt, meta } = conversation
  return { id, title, messages: head, lastAt, createdAt, pins, parent, forkedFrom, meta }
}

function noneYet(wanted: string, world: World): readonly string[] {
  return wanted === ''
    ? [`No conversation yet. Bring one: ${typedCommand('import FILE', world)}`]
    : [`No conversation has "${safeLine(wanted)}" in its id or title.`]
}

// A prefix of an id is enough to name it.
const idColumns = 44

function tableOf(
  shown: readonly ListedConversation[],
  total: number,
  { stdout, now }: World,
): readonly string[] {
  const { bold, dim, more } = styleOf(stdout)
  const rows = shown.map(({ conversation: { id, title, head }, lastAt }) => [
    cutTo(safeLine(id), idColumns, more),
    grouped(head),
    ago(lastAt, now()),
    safeLine(title ?? ''),
  ])
  const columns = [
    { title: 'conversation', paint: bold, narrow: 'shrinks' },
    { title: 'messages', align: 'right' },
    { title: 'last', narrow: 'leaves' },
    { title: 'title', shrinks: true },
  ] as const
  const left = total - shown.length
  return [
    ...drawTable(columns, rows, stdout),
    ...(left > 0 ? ['', dim(`and ${grouped(left)} more: --all`)] : []),
  ]
}
