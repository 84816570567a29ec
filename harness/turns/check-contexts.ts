/** Checks a context with a turn memory: its limits, that it is complete, and its marks as data. */
import type { Context, ContextMessage, MessageInput } from 'throughline'
import type { TurnMemory, TurnRules } from 'throughline/turns'
import { checkListed } from '../prop/check-listed.ts'
import { checkContextPairs } from '../prop/check-pairs.ts'
import { checkContextUnicode } from '../prop/check-text.ts'
import type { AddFinding } from './check-record.ts'
import { looksMadeUp } from './expected-things.ts'

export interface SeenContext {
  readonly context: Context
  readonly reader: 'condensed' | 'full'
  readonly memory: TurnMemory
  readonly rules: TurnRules
  readonly log: readonly MessageInput[]
}

const slots = ['theme', 'history', 'entities', 'pending', 'turns', 'steps'] as const
type Slot = (typeof slots)[number]

export function checkMemoryContext(seen: SeenContext, addFinding: AddFinding): void {
  const { context, reader, rules, memory, log } = seen
  if (context.tokens > context.available)
    addFinding('budget', `${context.tokens} of ${context.available}`)
  for (const { rule, detail } of [
    ...checkListed(context, log, []),
    ...checkContextPairs(context),
    ...checkContextUnicode(context),
  ])
    addFinding(rule, detail)
  const memoryMessages = context.messages.filter(isOfMemory)
  for (const { role, slot, seq } of memoryMessages)
    if (role !== 'user' || seq !== null) addFinding('role', `${slot} is given as ${role}, #${seq}`)
  const blocks = memoryMessages.flatMap((message) => blocksOf(message, addFinding))
  const tokens = blocks.reduce((sum, { whole }) => sum + Math.ceil(whole.length / 4), 0)
  const most = reader === 'condensed' ? rules.condensedTokens : rules.fullTokens
  if (tokens > most) addFinding('memory-budget', `${reader}: ${tokens} of ${most}`)
  const shown = context.messages.flatMap(({ seq }) => seq ?? [])
  if (shown.some((seq) => seq < memory.to)) addFinding('shown-twice', `#${Math.min(...shown)}`)
  if (context.messages.findIndex(({ slot }) => slot === 'theme') > 0) addFinding('top', 'the theme')
  checkTurns(seen, blocks, addFinding)
  checkSlots(seen, blocks, addFinding)
}

function isOfMemory({ slot }: ContextMessage): boolean {
  return slots.some((one) => one === slot)
}

interface Block {
  readonly slot: Slot
  readonly label: string
  readonly text: string
  readonly whole: string
}

/** Every block is data between two marks that its text does not contain. */
function blocksOf({ slot, parts }: ContextMessage, addFinding: AddFinding): readonly Block[] {
  return parts.flatMap((part) => {
    const whole = part.type === 'text' ? part.text : ''
    const [, label = '', mark = ''] =
      /^\[([^\n]*) · data, not instructions · (\S+)\]\n/.exec(whole) ?? []
    const begin = whole.indexOf('\n') + 1
    const end = whole.length - `\n[end ${mark}]`.length
    const text = whole.slice(begin, Math.max(begin, end))
    if (mark === '' || !whole.endsWith(`\n[end ${mark}]`) || text.includes(mark)) {
      addFinding('block', `${slot}: ${whole.slice(0, 200)}`)
      return []
    }
    return [{ slot: slot as Slot, label, text, whole }]
  })
}

const condensedTurns = 2
const condensedCharacters = 300

function checkTurns(
  { reader, memory, rules }: SeenContext,
  blocks: readonly Block[],
  addFinding: AddFinding,
) {
  const turnBlocks = blocks.filter(({ slot }) => slot === 'turns')
  const numbers = new Set(turnBlocks.map(({ label }) => Number(/^turn (\d+)/.exec(label)?.[1])))
  const most = reader === 'condensed' ? Math.min(condensedTurns, rules.fullTurns) : rules.fullTurns
  if (numbers.size > most) addFinding('turns', `${numbers.size} turns for ${reader}`)
  for (const { label, text } of turnBlocks) {
    const turn = Number(/^turn (\d+)/.exec(label)?.[1])
    const known = memory.recentTurns.find((one) => one.turn === turn)
    if (known === undefined) {
      addFinding('turns', `${label} is not among the recent turns`)
      continue
    }
    const { verb, words } = label.includes('the user')
      ? { verb: '', words: known.user }
      : answerIn(known, memory)
    if (reader === 'condensed' && text.length > condensedCharacters + verb.length)
      addFinding('turns', `${label} has ${text.length} characters`)
    const start = text.split(/\n\[… \d+ characters left out …\]\n| …$/)[0] ?? ''
    if (!`${verb}${words}`.startsWith(start))
      addFinding('turns', `${label} has another text: ${text}`)
  }
}

/** A proposal or question that is no longer pending is shown in its own words. */
function answerIn(
  { turn, decision, assistant, assistantSummary }: TurnMemory['recentTurns'][number],
  { pending }: TurnMemory,
): { readonly verb: string; readonly words: string } {
  const isOpen = decision === 'propose' || decision === 'clarify'
  if (!isOpen || assistant === '' || pending?.turn === turn)
    return { verb: '', words: assistantSummary ?? assistant }
  return { verb: decision === 'propose' ? 'proposed: ' : 'asked: ', words: assistant }
}

/** If nothing was dropped for lack of room, the context has the complete memory. */
function checkSlots(
  { context, reader, memory }: SeenContext,
  blocks: readonly Block[],
  addFinding: AddFinding,
) {
  const of = (slot: Slot) => blocks.filter((block) => block.slot === slot)
  if (reader === 'condensed' && of('steps').length > 0) addFinding('slots', 'a planner sees steps')
  const unsaved = memory.entities.filter(({ state }) => state !== 'active').map(({ id }) => id)
  for (const { text } of of('entities'))
    for (const line of text.split('\n').filter((each) => !/^… \d+ more: /.test(each))) {
      const id = line.split(' ')[1]?.replace(/:$/, '') ?? ''
      const isUnsaved = unsaved.includes(id) || looksMadeUp(id)
      if (isUnsaved && !line.includes('(not saved yet'))
        addFinding('slots', `unsaved, but not marked: ${line}`)
    }
  if (context.omitted.some(({ why }) => why === 'over-share')) return
  const expected: Readonly<Record<Slot, boolean>> = {
    theme: memory.theme !== null,
    pending: memory.pending !== null,
    entities: memory.activeEntities.length > 0,
    turns: memory.recentTurns.length > 0,
    history: memory.history.length > 0,
    steps: reader === 'full' && memory.steps.length + memory.stepDigests.length > 0,
  }
  for (const slot of slots)
    if (expected[slot] && of(slot).length === 0) addFinding('slots', `${slot} is missing`)
  if (memory.theme !== null && of('theme')[0]?.text !== memory.theme.text)
    addFinding('slots', 'another theme')
  const { proposal } = memory.pending ?? {}
  if (typeof proposal === 'string' && proposal !== '')
    if (!of('pending').some(({ text }) => text === proposal))
      addFinding('slots', 'the proposal is missing')
  const entities = of('entities')
    .map(({ text }) => text)
    .join('\n')
  for (const { id } of memory.activeEntities)
    if (!entities.includes(` ${id}`)) addFinding('slots', `${id} is missing`)
  const history = of('history')[0]?.text.split('\n').length ?? 0
  const before =
    reader === 'condensed' ? Math.max(0, memory.recentTurns.length - condensedTurns) : 0
  if (history !== memory.history.length + before)
    addFinding('slots', `${history} lines of ${memory.history.length} and ${before}`)
  if (reader === 'full')
    for (const { turn, user } of memory.recentTurns)
      if (
        user !== '' &&
        !of('turns').some(({ label, text }) => label.startsWith(`turn ${turn},`) && text === user)
      )
        addFinding('slots', `the user message of turn ${turn} is incomplete`)
}
