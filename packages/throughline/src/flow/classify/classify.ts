/** The class of each message, and its value by the rules of a policy. */
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
import {
  agesOf,
  type MessageAge,
  type TrackedFiles,
  trackFiles,
  wasModified,
} from './track-files.ts'

export interface MessageClassification extends MessageAge {
  readonly class: MessageClass
  readonly priority: number
  readonly toolUse: boolean
  /** A result in it reports a failure. */
  readonly failed: boolean
  readonly paths: readonly string[]
}

/**
 * A summary covers the messages before `summarizedTo`. One for each; they follow one another
 * without a gap.
 */
function classifyMessages(
  messages: readonly Message[],
  { priorities, recentSteps, recentTurns }: TrimRules,
  known: { readonly ages: readonly MessageAge[]; tracked: TrackedFiles; summarizedTo: Seq },
): readonly MessageClassification[] {
  const { ages, tracked, summarizedTo } = known
  const task = messages.findLastIndex((message) => isSpoken(message) && !isInstructions(message))
  return messages.map((message, at) => {
    const age = ages[at] ?? { step: 0, stepsAgo: 0, turnsAgo: 0 }
    const accesses = tracked.accesses.get(message.seq) ?? []
    const toolUse = hasToolUse(message)
    const isRecent = age.stepsAgo <= recentSteps
    const old = isSpoken(message) ? 'old-user-text' : 'old-reply'
    const classOf = (): MessageClass => {
      if (at === task) return 'task'
      if (message.role === 'system') return 'system'
      if (isInstructions(message)) return 'instructions'
      if (message.seq < summarizedTo) return 'summarized'
      if (accesses.some(({ path }) => wasModified(tracked, path))) return 'modified-file'
      if (accesses.length > 0) return isRecent ? 'recent-file' : 'stale-output'
      if (toolUse) return isRecent ? 'recent-turn' : 'stale-output'
      return age.turnsAgo <= recentTurns ? 'recent-turn' : old
    }
    const found = classOf()
    // What a user said lately is worth no less than what one said long ago.
    const isRecentTalk = found === 'recent-turn' && !toolUse
    return {
      ...age,
      class: found,
      priority: isRecentTalk ? Math.max(priorities[found], priorities[old]) : priorities[found],
      toolUse,
      failed: message.parts.some((part) => isFailedResult(part, accesses)),
      paths: [...new Set(accesses.map(({ path }) => path))],
    }
  })
}

/** By its own note, or by the title that agents put over such a file. */
function isInstructions({ role, parts, meta }: Pick<Message, 'role' | 'parts' | 'meta'>): boolean {
  if (meta?.['instructions'] === true) return true
  const [first] = parts
  return (
    role === 'user' && first?.type === 'text' && instructionsTitle.test(first.text.slice(0, 200))
  )
}

export function hasToolUse({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some(({ type }) => type === 'tool-result' || type === 'tool-call')
}

/** A file that was read may speak of errors and hold none. */
function isFailedResult(part: Part, accesses: readonly FileAccess[]): boolean {
  if (part.type !== 'tool-result') return false
  return !accesses.some(({ callId }) => callId === part.callId) && reportsFailure(part)
}

/** Messages ranked by the rules of a policy: once, however often we select from them. */
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
  const classified = classifyMessages(messages, rules, { ages, tracked, summarizedTo })
  return { classified, order: trimOrder(classified, rules), tracked }
}

/** Trim order: least valuable first, then tool output before words, then the oldest; failures last. */
function trimOrder(classified: readonly MessageClassification[], rules: TrimRules) {
  const keyOf = (at: number): number => {
    const { priority = 0, toolUse = false, failed = false } = classified[at] ?? {}
    const worth = rules.order === 'age' ? 0 : priority * 2 + (toolUse ? 0 : 1)
    return failed && rules.keepErrors ? worth + lastInOrder : worth
  }
  return {
    /** Indexes in the order of shortening. Linear: there are as many groups as priorities. */
    sort: (indexes: readonly number[]) =>
      [...Map.groupBy(indexes, keyOf)]
        .sort(([left], [right]) => left - right)
        .flatMap(([, group]) => group),
    mayShorten: (at: number, wholeTokens: number) => {
      const { priority = rules.protectedFrom, toolUse = false } = classified[at] ?? {}
      return priority < rules.protectedFrom && !(toolUse && wholeTokens <= rules.smallTokens)
    },
  }
}

const lastInOrder = 1e9

/** Its own status first, then whole words: "0 errors" is no failure, and neither is `errorHandler`. */
export function reportsFailure({
  isError,
  output,
}: Pick<ToolResultPart, 'isError' | 'output'>): boolean {
  if (isError) return true
  return edgesOf(output).some((text) => {
    const rest = noFailures.reduce((left, pattern) => left.replace(pattern, ' '), text)
    return failureWords.test(rest) || failureNames.test(rest)
  })
}

// A tool says what went wrong first or last, and what lies between may be megabytes.
const edgeCharacters = 2_000

function edgesOf(output: ToolOutput): readonly string[] {
  return textsOfOutput(output).flatMap((text) =>
    text.length <= edgeCharacters * 2
      ? [text]
      : [text.slice(0, edgeCharacters), text.slice(-edgeCharacters)],
  )
}
