/**
 * Loads the candidates: reads back from the end of the log until there are enough messages, so a
 * long conversation costs no more than a short one.
 */
import { defaults } from '../../defaults-data.ts'
import { noSize, type Size } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { View } from '../../domain/view.ts'
import { changedBasis } from '../project/basis.ts'
import type { Candidate, Candidates, ContextInputs, FixedParts } from '../project/records.ts'
import { nextMessages, pinSizes } from '../project/render-view.ts'
import { areSameParts } from '../text/map-strings.ts'
import { sanitizeMessage } from '../text/sanitize-message.ts'
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
}

export async function readBackCandidates(look: ReadBackInput): Promise<Omit<Candidates, 'known'>> {
  const candidates = await newestCandidates(look)
  const first = candidates[0]?.message.seq ?? look.coveredTo
  const isOpened = candidates.some(({ message }) => isSpoken(message))
  const task = isOpened || first === look.coveredTo ? null : await findTask(look, first)
  return { candidates, task: task && toCandidate(task, look) }
}

function toCandidate(message: Message, { meter, pins }: ReadBackInput): Candidate {
  const pinned = pins.get(message.seq) ?? null
  if (isRemoved(message)) return { message, size: noSize, pinned }
  // Measure the repaired message: lone surrogates cost many tokens, but are never sent.
  const { parts } = sanitizeMessage({ ...message, slot: 'recent' })
  const isSame = areSameParts(parts, message.parts)
  const size = meter.closeSize(isSame ? message : { ...message, parts, hashes: undefined })
  return { message, size, pinned }
}

/** Finds the user message that opened the current turn, also for a turn with thousands of steps. */
async function findTask(look: ReadBackInput, before: Seq): Promise<Message | null> {
  const { log, view, coveredTo } = look
  const line = Math.max(view?.line ?? 0, coveredTo)
  const since = await lastUserMessage(look, before, line)
  if (since !== null) return since
  for (const seq of view?.keeps.toReversed() ?? []) {
    if (seq < coveredTo || seq >= before) continue
    const [message] = await log.read({ from: seq, to: seq + 1 }, [])
    if (message !== undefined && isSpoken(message)) return message
  }
  return lastUserMessage(look, Math.min(before, line), coveredTo)
}

async function lastUserMessage(
  look: ReadBackInput,
  before: Seq,
  from: Seq,
): Promise<Message | null> {
  for (let page = 0, at = before; page < maxTaskPages && at > from; page += 1) {
    const messages = await look.log.readBack(at, Math.min(defaults.pageLookBack.value, at - from))
    const found = messages.findLast(isSpoken)
    if (found !== undefined) return found
    at = messages[0]?.seq ?? 0
  }
  return null
}

const maxTaskPages = 32

// With this many targets of stubs, still older messages could not fit.
const enoughTargets = 2.5
// A larger step is split, and its remaining results become text.
const maxStepWindows = 8

async function newestCandidates(look: ReadBackInput): Promise<readonly Candidate[]> {
  const found: Candidate[] = []
  let wholeTokens = 0
  let shortenedTokens = 0
  const enough = () =>
    wholeTokens >= look.availableTokens * defaults.lookBackWindows.value ||
    (wholeTokens > look.triggerTokens && shortenedTokens >= look.targetTokens * enoughTargets)
  // Stop only where the candidates can start: results need their calls.
  const ended = () =>
    enough() &&
    (canStartAt(found.at(-1)) || shortenedTokens > look.availableTokens * maxStepWindows)
  for (let before = look.log.head; before > look.coveredTo && !ended(); ) {
    const limit = Math.min(defaults.pageLookBack.value, before - look.coveredTo)
    const page = await look.log.readBack(before, limit)
    for (const message of page.toReversed()) {
      if (ended()) break
      const next = toCandidate(message, look)
      found.push(next)
      wholeTokens += next.size.tokens
      shortenedTokens +=
        message.role === 'user' ? next.size.tokens : Math.min(next.size.tokens, look.stubTokens)
    }
    const first = page[0]
    if (first === undefined) break
    before = first.seq
  }
  return fromValidStart(found.reverse(), look.coveredTo)
}

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

export async function loadCandidates(
  input: ContextInputs,
  fixed: FixedParts,
  times: number,
): Promise<Candidates> {
  const { log, coveredTo, meter, view } = input
  const { budget, countedTokens } = fixed.plan
  const { triggerTokens, targetTokens } = budget
  // With `fill: 'recent'` the tail may be larger than the target, so read a whole window.
  const enoughFor =
    input.policy.fill === 'recent'
      ? { triggerTokens: countedTokens, targetTokens: countedTokens }
      : { triggerTokens, targetTokens: targetTokens * times }
  const { candidates, task } = await readBackCandidates({
    ...input,
    pins: pinSizes(input, fixed),
    availableTokens: fixed.plan.countedTokens * times,
    ...enoughFor,
    stubTokens: stubTokensOf(input.policy.stub, fixed.plan.countedTokens),
  })
  const next = nextMessages(input).map((message) => ({
    message,
    size: meter.closeSize(message),
    pinned: null,
  }))
  // A next message that opens a turn makes the old task obsolete.
  const opens = nextMessages(input).some(isSpoken)
  // Reuse no stub if the log was rewritten or another tokenizer would cut elsewhere.
  const changed = view === null ? null : changedBasis(view, input.basis)
  const isKnown = changed !== 'history-changed' && changed !== 'window-changed'
  const from = Math.min(task?.message.seq ?? log.head, candidates[0]?.message.seq ?? log.head)
  const digests = await input.derived.digests({ from, to: log.head })
  return {
    candidates: [...candidates, ...next],
    task: opens ? null : task,
    coveredTo,
    known: isKnown ? (view?.stubs ?? []) : [],
    digests: new Map(digests.map(({ seq, text }) => [seq, text])),
  }
}

/** Only the candidates after the line, and the message that opened the current turn. */
export function candidatesAfter(loaded: Candidates, line: Seq): Candidates {
  const { candidates, task } = loaded
  const left = candidates.filter(({ message }) => message.seq >= line)
  if (left.length === candidates.length) return loaded
  const isOpened = left.some(({ message }) => isSpoken(message))
  const opening = candidates.findLast(({ message }) => message.seq < line && isSpoken(message))
  return { ...loaded, candidates: left, task: isOpened ? null : (opening ?? task) }
}
