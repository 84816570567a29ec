/** Loads the candidates: reads back from the end of the log until there are enough messages. */
import { defaults } from '../../defaults-data.ts'
import type { Size } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { View } from '../../domain/view.ts'
import { hasToolUse } from '../classify/classify.ts'
import { operationOf } from '../classify/track-files.ts'
import { changedBasis } from '../project/basis.ts'
import type { Candidate, Candidates, ContextInputs, FixedParts } from '../project/records.ts'
import { nextMessages, pinSizes } from '../project/render-view.ts'
import { sizeToSend } from '../project/whole-log.ts'
import { digestedFrom } from '../stub/giants.ts'
import { maxShares } from './select.ts'
import { stubTokensOf } from './select-options.ts'

export interface ReadBackInput extends Pick<ContextInputs, 'log' | 'coveredTo' | 'meter'> {
  /** The current view; the task may be among its keeps. */
  readonly view: Pick<View, 'keeps' | 'line'> | null
  /** The size of each pin in the pin block. */
  readonly pins: ReadonlyMap<Seq, Size>
  readonly availableTokens: number
  /** Up to this size, every message is shown. */
  readonly triggerTokens: number
  /** The size at the start of an epoch. */
  readonly targetTokens: number
  readonly stubTokens: number
  /** Whether the room is shared by kind, so that a message has at most its share of the target. */
  readonly isByShare?: boolean
  /** Messages above this size become stubs with digests, which leave room for older messages. */
  readonly digestedFrom?: number | null
}

/** The most that the digest of a message has. */
const digestTokens = 500

export async function readBackCandidates(
  input: ReadBackInput,
): Promise<Omit<Candidates, 'earlierStubs'>> {
  const candidates = await newestCandidates(input)
  const first = candidates[0]?.message.seq ?? input.coveredTo
  const isOpened = candidates.some(({ message }) => isSpoken(message))
  const task = isOpened || first === input.coveredTo ? null : await findTask(input, first)
  return { candidates, task: task && toCandidate(task, input) }
}

function toCandidate(message: Message, { meter, pins }: ReadBackInput): Candidate {
  return { message, size: sizeToSend(message, meter), pinSize: pins.get(message.seq) ?? null }
}

/** Finds the user message that opened the current turn, also for a turn with thousands of steps. */
async function findTask(input: ReadBackInput, before: Seq): Promise<Message | null> {
  const { log, view, coveredTo } = input
  const line = Math.max(view?.line ?? 0, coveredTo)
  const sinceLine = await lastUserMessage(input, before, line)
  if (sinceLine !== null) return sinceLine
  for (const seq of view?.keeps.toReversed() ?? []) {
    if (seq < coveredTo) continue
    const [message] = await log.read({ from: seq, to: seq + 1 }, [])
    if (message !== undefined && isSpoken(message)) return message
  }
  return lastUserMessage(input, Math.min(before, line), coveredTo)
}

async function lastUserMessage(input: ReadBackInput, before: Seq, from: Seq) {
  for (let page = 0, to = before; page < maxTaskPages && to > from; page += 1) {
    const messages = await input.log.readBack(to, Math.min(defaults.pageLookBack, to - from))
    const found = messages.findLast(isSpoken)
    if (found !== undefined) return found
    to = messages[0]?.seq ?? 0
  }
  return null
}

const maxTaskPages = 32

// If the newest messages, shortened, have so many times the target, older messages cannot fit.
const enoughTargets = { byShare: 1.6, byStubs: 2.5 }
// A larger step is split, and its remaining results become text.
const maxStepWindows = 8
/** For the growth of a conversation, and for messages that take less than they may. */
const minCandidates = 24

async function newestCandidates(input: ReadBackInput): Promise<readonly Candidate[]> {
  const { availableTokens, triggerTokens, targetTokens, isByShare = false } = input
  const found: Candidate[] = []
  const planned = plannedTokens(input)
  const enough = targetTokens * (isByShare ? enoughTargets.byShare : enoughTargets.byStubs)
  const fewest = isByShare ? minCandidates : 0
  let wholeTokens = 0
  let shortenedTokens = 0
  const hasEnough = () =>
    wholeTokens >= availableTokens * defaults.lookBackWindows ||
    (wholeTokens > triggerTokens && shortenedTokens >= enough && found.length >= fewest)
  // Stop only where the candidates can start: results need their calls.
  const canStop = () =>
    hasEnough() && (canStartAt(found.at(-1)) || shortenedTokens > availableTokens * maxStepWindows)
  for (let before = input.log.head; before > input.coveredTo && !canStop(); ) {
    const limit = Math.min(defaults.pageLookBack, before - input.coveredTo)
    const page = await input.log.readBack(before, limit)
    for (const message of page.toReversed()) {
      if (canStop()) break
      const candidate = toCandidate(message, input)
      const { tokens } = candidate.size
      const { digestedFrom = null } = input
      const isDigested = digestedFrom !== null && tokens > digestedFrom
      found.push(candidate)
      wholeTokens += isDigested ? input.stubTokens + digestTokens : tokens
      shortenedTokens += isDigested ? input.stubTokens + digestTokens : planned(message, tokens)
    }
    const first = page[0]
    if (first === undefined) break
    before = first.seq
  }
  return fromValidStart(found.reverse(), input.coveredTo)
}

/** What a message takes at least of a full selection. Results come before their calls here. */
function plannedTokens({ targetTokens, stubTokens, isByShare = false }: ReadBackInput) {
  const results = new Map<string, number>()
  const shareOf = (share: number) => Math.max(stubTokens, targetTokens * roomShare * share)
  return (message: Message, tokens: number): number => {
    if (!isByShare) return message.role === 'user' ? tokens : Math.min(tokens, stubTokens)
    if (!hasToolUse(message)) {
      const share = message.role === 'user' ? maxShares.user : maxShares.reply
      return Math.min(tokens, shareOf(share))
    }
    let usesFiles = false
    let added = 0
    for (const part of message.parts) {
      if (part.type === 'tool-result') results.set(part.callId, tokens)
      if (part.type !== 'tool-call' || operationOf(part.name, part.input) === null) continue
      usesFiles = true
      const resultTokens = Math.min(results.get(part.callId) ?? 0, shareOf(maxShares.file))
      added += resultTokens - Math.min(resultTokens, shareOf(maxShares.output))
    }
    return added + Math.min(tokens, shareOf(usesFiles ? maxShares.file : maxShares.output))
  }
}

/** The share of the target that messages have at least, beside the history block. */
const roomShare = 0.4

/** Skips results whose call was not read, because they would become text. */
function fromValidStart(candidates: readonly Candidate[], coveredTo: Seq): readonly Candidate[] {
  if (candidates[0]?.message.seq === coveredTo) return candidates
  return candidates.slice(Math.max(0, candidates.findIndex(canStartAt)))
}

function canStartAt(candidate: Candidate | undefined): boolean {
  if (candidate === undefined) return false
  const { role, parts } = candidate.message
  return role !== 'tool' && !parts.some((part) => part.type === 'tool-result')
}

export async function loadCandidates(input: ContextInputs, fixed: FixedParts): Promise<Candidates> {
  const { log, coveredTo, meter, view, policy } = input
  const { budget, countedTokens } = fixed.plan
  const isRecent = policy.fill === 'recent'
  const { candidates, task } = await readBackCandidates({
    ...input,
    pins: pinSizes(input, fixed),
    // Where much is left out of each message, a full selection reaches far back.
    availableTokens: countedTokens * (isRecent ? 1 : lookBackFactor),
    // With `fill: 'recent'` the tail may be larger than the target, so read a whole window.
    triggerTokens: isRecent ? countedTokens : budget.triggerTokens,
    targetTokens: isRecent ? countedTokens : budget.targetTokens,
    stubTokens: stubTokensOf(policy.stub, countedTokens),
    isByShare: !isRecent && policy.trim.order === 'share',
    digestedFrom: digestedFrom(policy, meter),
  })
  const next = nextMessages(input).map((message) => ({
    message,
    size: meter.closeSize(message),
    pinSize: null,
  }))
  // A next message that opens a turn makes the old task obsolete.
  const opensTurn = nextMessages(input).some(isSpoken)
  // Reuse no stub if the log was rewritten or another tokenizer would cut elsewhere.
  const changed = view === null ? null : changedBasis(view, input.basis)
  const hasUsableStubs = changed !== 'history-changed' && changed !== 'window-changed'
  const from = Math.min(task?.message.seq ?? log.head, candidates[0]?.message.seq ?? log.head)
  const digests = await input.derived.digests({ from, to: log.head })
  return {
    candidates: [...candidates, ...next],
    task: opensTurn ? null : task,
    coveredTo,
    earlierStubs: hasUsableStubs ? (view?.stubs ?? []) : [],
    digests: new Map(digests.map(({ seq, text }) => [seq, text])),
  }
}

const lookBackFactor = 16

/** Only the candidates after the line, and the message that opened the current turn. */
export function candidatesAfter(loaded: Candidates, line: Seq): Candidates {
  const { candidates, task } = loaded
  const later = candidates.filter(({ message }) => message.seq >= line)
  if (later.length === candidates.length) return { ...loaded, from: line }
  const isOpened = later.some(({ message }) => isSpoken(message))
  const opening = candidates.findLast(({ message }) => message.seq < line && isSpoken(message))
  return { ...loaded, from: line, candidates: later, task: isOpened ? null : (opening ?? task) }
}
