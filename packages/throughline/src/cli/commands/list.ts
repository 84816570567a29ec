/** Lists the conversations of the store, most recently active first. */
import type { Conversation } from '../../index.ts'
import type { ListedConversation, TenantStore } from '../../stores/index.ts'
import { type Run, typedCommand } from '../command.ts'
import { noStoreText, shortId } from '../find-conversation.ts'
import { withStore } from '../open-store.ts'
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
  return withStore(args, world, async ({ store, settings, exists }) => {
    const found = await latestMatches(store, matches, limit + 1)
    const shown = found.slice(0, limit)
    const more = found.length > shown.length
    const ids = args.json ? [] : await Promise.all(shown.map((each) => shortId(store, each)))
    const lines = () => {
      if (!exists) return [`${noStoreText(settings.store, world).replace(/^n/, 'N')}.`]
      return found.length === 0 ? emptyLines(wanted, world) : tableOf(shown, { ids, more }, world)
    }
    return { json: { conversations: shown.map(asJson), more }, lines }
  })
}

/** Above it, all conversations are read at once. */
const largestPage = 1_000_000

type Matches = (conversation: Conversation) => boolean

/** Reads as many conversations as it returns, and more only if some do not match. */
async function latestMatches(store: TenantStore, matches: Matches, limit: number) {
  for (let page = limit; ; page *= 8) {
    const latest = await store.list({ by: 'latest', limit: page < largestPage ? page : null })
    const found = latest.filter(({ conversation }) => matches(conversation))
    if (found.length >= limit || latest.length < page) return found.slice(0, limit)
  }
}

function asJson({ conversation, lastAt }: ListedConversation) {
  const { id, title, head, pins, parent, forkedFrom, createdAt, meta } = conversation
  return { id, title, messages: head, lastAt, createdAt, pins, parent, forkedFrom, meta }
}

function emptyLines(wanted: string, world: World): readonly string[] {
  return wanted === ''
    ? [`The store has no conversations yet. Import one: ${typedCommand('import FILE', world)}`]
    : [`No conversation has "${safeLine(wanted)}" in its id or title.`]
}

function tableOf(
  shown: readonly ListedConversation[],
  { ids, more }: Readonly<{ ids: readonly string[]; more: boolean }>,
  { stdout, now }: World,
): readonly string[] {
  const { bold, dim } = styleOf(stdout)
  const rows = shown.map(({ conversation: { title, head }, lastAt }, index) => [
    safeLine(ids[index] ?? ''),
    grouped(head),
    ago(lastAt, now()),
    safeLine(title ?? ''),
  ])
  const columns = [
    { title: 'conversation', paint: bold, narrow: 'shrinks' },
    { title: 'messages', align: 'right' },
    { title: 'last active', narrow: 'leaves' },
    { title: 'title', shrinks: true },
  ] as const
  const hint = `the ${grouped(shown.length)} most recently active; --all lists all`
  return [...drawTable(columns, rows, stdout), ...(more ? ['', dim(hint)] : [])]
}
