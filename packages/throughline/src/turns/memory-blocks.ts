/**
 * Renders the turn memory as blocks for a context, most valuable first. Routers and planners get
 * it condensed, actors in full.
 */
import type { Entity } from '../domain/entity.ts'
import type { JsonValue } from '../domain/json.ts'
import { anchorOf } from '../domain/span.ts'
import type {
  HistoryLine,
  PendingDecision,
  RememberedTurn,
  StepDigest,
  TurnMemory,
  TurnRules,
  TurnSlot,
} from '../domain/turn-memory.ts'
import { oneLine } from '../extract/one-line.ts'
import { cutText } from '../flow/text/excerpt.ts'
import { dateText } from '../flow/text/page-text.ts'
import type {
  ExtensionBlock,
  ExtensionContent,
  ExtensionPiece,
  MemoryReader,
} from '../ports/context-extension.ts'
import { recentFirst, unsavedEntities } from './entities/entity-states.ts'
import { limits } from './limits-data.ts'
import { shownVerbs, stepsLabel, waitingSentences } from './sentences-data.ts'

export function memoryContent(
  memory: TurnMemory,
  reader: MemoryReader,
  rules: TurnRules,
): Omit<ExtensionContent, 'coveredTo'> {
  const { shown, before } = turnsFor(memory, reader)
  const turns = shown
    .toReversed()
    .map((turn) => piece('turns', turn.turn, ...turnBlocks(turn, memory, reader, rules)))
  const pieces: readonly ExtensionPiece[] = [
    piece('theme', 0, textBlock('what this conversation is about', memory.theme?.text ?? '')),
    piece('pending', 0, ...pendingBlocks(memory, rules)),
    ...turns.slice(0, 1),
    { ...piece('entities', 0, entityBlock(memory, reader, rules)), share: limits.entityShare },
    ...turns.slice(1),
    piece('history', 0, historyBlock(memory, before)),
    ...(reader === 'condensed' ? [] : stepPieces(memory)),
  ]
  return {
    maxTokens: reader === 'condensed' ? rules.condensedTokens : rules.fullTokens,
    pieces: pieces
      .map((each) => ({ ...each, blocks: each.blocks.filter(isNotEmpty) }))
      .filter(({ blocks }) => blocks.length > 0),
  }
}

function piece(
  slot: TurnSlot,
  order: number,
  ...blocks: readonly ExtensionBlock[]
): ExtensionPiece {
  return { slot, order, share: 1, blocks }
}

function isNotEmpty(block: ExtensionBlock): boolean {
  return block.kind === 'text' ? block.text !== '' : block.lines.length > 0
}

function pendingBlocks(
  { pending, entities }: TurnMemory,
  { entitiesPerType }: TurnRules,
): readonly ExtensionBlock[] {
  if (pending === null) return []
  const { kind, turn, goal, proposal, questions, assumptions, partialPlan, entityIds } = pending
  const ids = new Set(entityIds)
  const waitingWith = entities.filter(({ id }) => ids.has(id))
  const named = waitingWith.slice(0, entitiesPerType)
  const unnamed = waitingWith.length - named.length
  const lines = [
    waitingSentences[kind],
    ...(goal === '' ? [] : [`goal: ${oneLine(goal)}`]),
    ...questions.map((question) => `asked: ${oneLine(question)}`),
    ...assumptions.map((assumption) => `assumed: ${oneLine(assumption)}`),
    ...partialPlan.map((step) => `planned: ${oneLine(step)}`),
    ...named.map((entity) => `waits with it: ${entityText(entity, [])}`),
    ...(unnamed === 0 ? [] : [`waits with it: … ${unnamed} more`]),
  ]
  return [
    lineBlock(`pending since turn ${turn}`, lines),
    textBlock('the proposal, word for word', proposal ?? ''),
  ]
}

function textBlock(label: string, text: string): ExtensionBlock {
  return { kind: 'text', label, text: text.toWellFormed() }
}

type LineBlock = Extract<ExtensionBlock, { readonly kind: 'lines' }>

function lineBlock(
  label: string,
  allLines: readonly string[],
  options: Partial<Omit<LineBlock, 'kind' | 'label' | 'lines'>> = {},
): LineBlock {
  const lines = allLines.map((line) => line.toWellFormed())
  return { kind: 'lines', label, lines, dropFrom: 'end', totalLines: null, ...options }
}

/** The turns to show, and earlier ones that have no history line. */
function turnsFor(
  { recentTurns, to }: TurnMemory,
  reader: MemoryReader,
): Readonly<Record<'shown' | 'before', readonly RememberedTurn[]>> {
  // Turns from `to` on are in the context as messages.
  const covered = recentTurns.filter((turn) => !hasMessages(turn) || turn.messages.from < to)
  const shown = reader === 'condensed' ? covered.slice(-limits.condensedTurns) : covered
  return { shown, before: covered.slice(0, covered.length - shown.length) }
}

/** Only actors see complete user messages; all readers see the digest of a long answer. */
function turnBlocks(
  turn: RememberedTurn,
  { pending }: Pick<TurnMemory, 'pending'>,
  reader: MemoryReader,
  { proposalCharacters }: Pick<TurnRules, 'proposalCharacters'>,
): readonly ExtensionBlock[] {
  const shownText = (text: string, maxCharacters = Number.POSITIVE_INFINITY) =>
    cutText(text, reader === 'condensed' ? limits.condensedCharacters : maxCharacters)
  const { kind, verb, text } = answerOf(turn, pending)
  const who = kind === 'in-short' ? 'the assistant, in short' : 'the assistant'
  const answer = kind === 'settled' ? shownText(text, proposalCharacters) : shownText(text)
  return [
    textBlock(`${turnLabel(turn)}: the user`, shownText(turn.user)),
    textBlock(`turn ${turn.turn}: ${who}`, `${verb}${answer}`),
  ]
}

function historyBlock(
  { history, recentTurns, pending }: TurnMemory,
  before: readonly RememberedTurn[],
): ExtensionBlock {
  const [first] = recentTurns
  const to = first !== undefined && hasMessages(first) ? first.messages.from : 0
  const anchor = to === 0 ? '' : `, ${anchorOf({ from: 0, to })}`
  const lines = [...history.map(historyText), ...before.map((turn) => shortTurn(turn, pending))]
  return lineBlock(`earlier turns${anchor}, in short`, lines, {
    dropFrom: 'start',
    shortenTo: limits.shortLineCharacters,
    totalLines: lines.length,
  })
}

function historyText({ from, to, text }: HistoryLine): string {
  const turns = to === from + 1 ? `turn ${from}` : `turns ${from}-${to - 1}`
  return `${turns}: ${oneLine(text)}`
}

function shortTurn(turn: RememberedTurn, pending: PendingDecision | null): string {
  const short = (text: string) => cutText(oneLine(text), limits.condensedCharacters / 2)
  const { verb, text } = answerOf(turn, pending)
  const who = verb === '' ? 'the assistant: ' : `the assistant ${verb}`
  return `${turnLabel(turn)}: the user: ${short(turn.user)} – ${who}${short(text)}`
}

interface ShownAnswer {
  /** `settled`: its proposal or question is no longer pending. */
  readonly kind: 'whole' | 'in-short' | 'settled'
  readonly verb: string
  readonly text: string
}

/** The digest says that a proposal waits. Once it is settled, the answer itself is shown. */
function answerOf(
  { turn, decision, assistant, assistantSummary }: RememberedTurn,
  pending: PendingDecision | null,
): ShownAnswer {
  const verb = decision === null ? '' : shownVerbs[decision]
  if (verb !== '' && assistant !== '' && pending?.turn !== turn)
    return { kind: 'settled', verb, text: assistant }
  return assistantSummary === null
    ? { kind: 'whole', verb: '', text: assistant }
    : { kind: 'in-short', verb: '', text: assistantSummary }
}

function turnLabel(turn: RememberedTurn): string {
  const anchor = hasMessages(turn) ? [anchorOf(turn.messages)] : []
  return [`turn ${turn.turn}`, ...dateText(Date.parse(turn.timestamp)), ...anchor].join(', ')
}

function hasMessages({ messages }: RememberedTurn): boolean {
  return messages.from < messages.to
}

/** The most recent first, because the last lines are dropped when room is short. */
function entityBlock(
  { activeEntities, entities }: TurnMemory,
  reader: MemoryReader,
  rules: TurnRules,
): ExtensionBlock {
  // Planners and actors must know that these ids are in no database.
  const unsaved = new Set(unsavedEntities(entities, rules))
  const notes = (entity: Entity) => [
    ...(unsaved.has(entity) ? ['not saved yet'] : []),
    ...(reader === 'condensed' ? [] : [`turn ${entity.turnLastRef}`]),
  ]
  const lines = recentFirst([...activeEntities, ...unsaved]).map((entity) =>
    entityText(entity, notes(entity)),
  )
  const totalLines = entities.filter(({ state }) => state !== 'inactive').length
  return lineBlock('entities: type, id, name', lines, { totalLines })
}

/** Our notes precede the name on one line, so that no name can imitate an entity or a note. */
function entityText({ type, id, label }: Entity, notes: readonly string[]): string {
  const inBrackets = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return `${shortName(type)} ${shortName(id)}${inBrackets}: ${shortName(label)}`
}

function shortName(name: string): string {
  return cutText(oneLine(name), limits.shownNameCharacters)
}

/** Every step has a line, because its complete result may not fit. */
function stepPieces({ steps, stepDigests }: TurnMemory): readonly ExtensionPiece[] {
  const lines = [...stepDigests, ...steps].map(stepText)
  const results = steps.map((step, at) => {
    const label = `result of step ${stepKey(step)}: ${oneLine(step.description)}`
    return piece('steps', at + 1, textBlock(label, jsonText(step.result)))
  })
  const digests = lineBlock(stepsLabel, lines, { dropFrom: 'start' })
  return [piece('steps', 0, digests), ...results.reverse()]
}

function stepText(step: StepDigest): string {
  const { status, recordCount, entityIds, description, outcome } = step
  const ids = entityIds.slice(0, limits.shownIds).map(shortName)
  const more = entityIds.length > ids.length ? [`and ${entityIds.length - ids.length} more`] : []
  const facts = [
    status,
    ...(recordCount === null ? [] : [recordCount === 1 ? '1 record' : `${recordCount} records`]),
    ...(ids.length === 0 ? [] : [[...ids, ...more].join(' ')]),
  ]
  const texts = [description, outcome]
    .filter((text) => text !== '')
    .map((text) => cutText(oneLine(text), limits.shownOutcomeCharacters))
  return `${stepKey(step)} ${facts.join(', ')}: ${texts.join(' → ')}`
}

/** Step numbers repeat in every turn. */
function stepKey({ turn, step }: StepDigest): string {
  return `${turn}.${step}`
}

function jsonText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
