/**
 * A chat with a person before it. Settings that are changed on the way need another engine, so the
 * chat goes on in rounds, each with an engine of its own on the same conversation.
 */

import type { Message } from '../../index.ts'
import { loadConversation, type TenantStore } from '../../stores/index.ts'
import { messageText } from '../../toolkit/index.ts'
import { type Arguments, typedCommand } from '../command.ts'
import { done, type Ending } from '../ending.ts'
import type { LineEditor } from '../line-editor.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { wrap } from '../screen/cells.ts'
import { heading } from '../screen/labelled.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine, shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'
import { converse } from './converse.ts'
import { completeSlash } from './slash-commands.ts'
import { type ChosenConversation, chooseConversation, openTalk, type Talk } from './talk.ts'

export interface Typed {
  readonly settings: CliSettings
  readonly system: string | null
  readonly lines: NonNullable<World['lines']>
}

interface Opened {
  readonly editor: LineEditor
  readonly chosen: ChosenConversation
}

type Round =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'changed'; readonly settings: CliSettings }

export async function inTerminal(args: Arguments, world: World, typed: Typed): Promise<Ending> {
  const { system, lines } = typed
  let { settings } = typed
  let opened: Opened | null = null
  const round = async (open: OpenEngine): Promise<Round> => {
    const isFirst = opened === null
    if (opened === null) {
      const chosen = await chooseConversation(args, open.store, world)
      if ('exitCode' in chosen) return { kind: 'ended', ending: chosen }
      const history = await saidBefore(open.store, chosen)
      opened = { chosen, editor: await lines({ history, complete: completeSlash }) }
    }
    const { editor, chosen } = opened
    const talk = await openTalk(open, { id: chosen.id, given: system, args, world })
    if (isFirst) await greet(talk, chosen)
    const ended = await converse(talk, editor)
    if (ended.kind === 'changed') return ended
    await farewell(talk)
    return { kind: 'ended', ending: done }
  }
  try {
    for (;;) {
      const ended: Round = await withEngine(args, world, round, {
        begins: true,
        change: () => settings,
      })
      if (ended.kind === 'ended') return ended.ending
      settings = ended.settings
    }
  } finally {
    closeEditor(opened)
  }
}

function closeEditor(opened: Opened | null): void {
  opened?.editor.close()
}

async function greet({ chat, settings, provider, world }: Talk, { isNew }: ChosenConversation) {
  const { stdout } = world
  const { dim } = styleOf(stdout)
  const info = await chat.info()
  const name = heading({ id: chat.id, title: info?.title ?? null }, stdout)
  const length = isNew ? 'a new conversation' : counted(info?.head ?? 0, 'message')
  const about = `${length}, with ${safeLine(settings.model)} at ${new URL(provider.baseUrl).host}; /help for more`
  const lines = wrap(about, stdout.width).map((line) => dim(line))
  await stdout.write(`${[name, ...lines].join('\n')}\n\n`)
}

async function farewell({ chat, world }: Talk): Promise<void> {
  const { dim } = styleOf(world.stdout)
  const info = await chat.info()
  if (info === null) return
  await world.stdout.write(
    `${dim(`Kept: ${counted(info.head, 'message')}. It goes on with ${typedCommand(`chat ${shellWord(info.id)}`, world)}`)}\n`,
  )
}

const historyMessages = 200

/** What was said in the conversation is what the arrow up brings back, newest first. */
async function saidBefore(
  store: TenantStore,
  { id }: ChosenConversation,
): Promise<readonly string[]> {
  const head = (await loadConversation(store, id))?.head ?? 0
  const messages: readonly Message[] =
    (await store.read({ id, before: head, limit: historyMessages })) ?? []
  return messages
    .toSorted((left, right) => right.seq - left.seq)
    .filter(({ role }) => role === 'user')
    .map((message) => messageText(message).trim())
    .filter((text) => text !== '' && text.length <= longestRemembered && safeLine(text) === text)
}

const longestRemembered = 500
