/** Classifies messages and ranks them by the trim rules of a policy. */
import type { Seq } from '../../domain/ids.ts'
import type { FileAccess } from '../../domain/ledger.ts'
import {
  type Message,
  type Part,
  type ToolOutput,
  type ToolResultPart,
  textsOfOutput,
} from '../../domain/message.ts'
import type { MessageClass, TrimRules } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import { failureNames, failureWords, instructionsTitle, noFailures } from './tool-words-data.ts'
import { agesOf, type MessageAge, type TrackedFiles, trackFiles } from './track-files.ts'

export interface MessageClassification extends MessageAge {
  readonly class: MessageClass
  readonly priority: number
  readonly toolUse: boolean
  /** Whether it contains a tool result that reports a failure. */
  readonly failed: boolean
  readonly paths: readonly string[]
}

/** Returns one classification per message; the messages must be consecutive. */
function classifyMessages(
  messages: readonly Message[],
  { priorities, recentSteps, recentTurns }: TrimRules,
  ages: readonly MessageAge[],
  tracked: TrackedFiles,
  summarizedTo: Seq,
): readonly MessageClassification[] {
  const isTask = (message: Message) => isSpoken(message) && !isInstructions(message)
  const taskIndex = messages.findLastIndex(isTask)
  return messages.map((message, at) => {
    const age = ages[at] ?? { step: 0, stepsAgo: 0, turnsAgo: 0 }
    const accesses = tracked.accesses.get(message.seq) ?? []
    const toolUse = hasToolUse(message)
    const isRecent = age.stepsAgo <= recentSteps
    const oldClass = isSpoken(message) ? 'old-user-text' : 'old-reply'
    const classOf = (): MessageClass => {
      if (at === taskIndex) return 'task'
      if (message.role === 'system') return 'system'
      if (isInstructions(message)) return 'instructions'
      if (message.seq < summarizedTo) return 'summarized'
      // Text of the application goes first.
      if (message.role === 'user' && !toolUse && !isSpoken(message)) return 'stale-output'
      if (accesses.some(({ path }) => tracked.files.get(path)?.modified)) return 'modified-file'
      if (accesses.length > 0) return isRecent ? 'recent-file' : 'stale-output'
      if (toolUse) return isRecent ? 'recent-turn' : 'stale-output'
      return age.turnsAgo <= recentTurns ? 'recent-turn' : oldClass
    }
    const messageClass = classOf()
    const priority = priorities[messageClass]
    // Recent talk is worth at least as much as old talk.
    const isRecentTalk = messageClass === 'recent-turn' && !toolUse
    return {
      ...age,
      class: messageClass,
      priority: isRecentTalk ? Math.max(priority, priorities[oldClass]) : priority,
      toolUse,
      failed: message.parts.some((part) => isFailedResult(part, accesses)),
      paths: [...new Set(accesses.map(({ path }) => path))],
    }
  })
}

/** Recognised by the caller's `meta`, or by the title that agents put above an instructions file. */
function isInstructions({ role, parts, meta }: Pick<Message, 'role' | 'parts' | 'meta'>): boolean {
  if (meta?.['instructions'] === true) return true
  const [first] = parts
  if (role !== 'user' || first?.type !== 'text') return false
  return instructionsTitle.test(first.text.slice(0, 200))
}

export function hasToolUse({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some(({ type }) => type === 'tool-result' || type === 'tool-call')
}

/** The text of a file may mention errors without being one, so file reads are excluded. */
function isFailedResult(part: Part, accesses: readonly FileAccess[]): boolean {
  if (part.type !== 'tool-result') return false
  return !accesses.some(({ callId }) => callId === part.callId) && reportsFailure(part)
}

/** Messages ranked by the trim rules of a policy; one ranking serves several selections. */
export interface RankedMessages {
  readonly classified: readonly MessageClassification[]
  readonly order: ReturnType<typeof trimOrder>
  readonly tracked: TrackedFiles
}

/** A summary covers the messages before `summarizedTo`. */
export function rankMessages(
  messages: readonly Message[],
  rules: TrimRules,
  summarizedTo: Seq = 0,
): RankedMessages {
  const ages = agesOf(messages)
  const tracked = trackFiles(messages, ages)
  const classified = classifyMessages(messages, rules, ages, tracked, summarizedTo)
  return { classified, order: trimOrder(classified, rules), tracked }
}

/** Trim order: least valuable first, tool output before text, then oldest first; failures last. */
function trimOrder(classified: readonly MessageClassification[], rules: TrimRules) {
  const keyOf = (at: number): number => {
    const { priority = 0, toolUse = false, failed = false } = classified[at] ?? {}
    const worth = rules.order === 'age' ? 0 : priority * 2 + (toolUse ? 0 : 1)
    return failed && rules.keepErrors ? worth + failureWorth : worth
  }
  /** Whether it is a tool use that stays as it is. */
  const isSmall = (at: number, wholeTokens: number) =>
    classified[at]?.toolUse === true && wholeTokens <= rules.smallTokens
  return {
    /** Messages are limited by their kind instead of being shortened in this order. */
    isByShare: rules.order === 'share',
    /** Sorts indexes into trim order. Nearly linear, because there are few different keys. */
    sort: (indexes: readonly number[]) =>
      [...Map.groupBy(indexes, keyOf)]
        .sort(([left], [right]) => left - right)
        .flatMap(([, group]) => group),
    isSmall,
    mayShorten: (at: number, wholeTokens: number) => {
      const { priority = rules.protectedFrom } = classified[at] ?? {}
      return priority < rules.protectedFrom && !isSmall(at, wholeTokens)
    },
  }
}

// Above every other worth, so that failures are trimmed last.
const failureWorth = 1e9

/** Checks the status, then whole words: neither "0 errors" nor `errorHandler` is a failure. */
export function reportsFailure(result: Pick<ToolResultPart, 'isError' | 'output'>): boolean {
  if (result.isError) return true
  return edgesOf(result.output).some((text) => {
    const claims = noFailures.reduce((claim, pattern) => claim.replace(pattern, ' '), text)
    return failureWords.test(claims) || failureNames.test(claims)
  })
}

// Tools report errors at the start or end of their output; the middle may have megabytes.
const edgeCharacters = 2_000

function edgesOf(output: ToolOutput): readonly string[] {
  return textsOfOutput(output).flatMap((text) =>
    text.length <= edgeCharacters * 2
      ? [text]
      : [text.slice(0, edgeCharacters), text.slice(-edgeCharacters)],
  )
}
