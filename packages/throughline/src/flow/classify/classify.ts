/**
 * What each message is to a context that has to become smaller, and what it is worth by
 * the rules of a policy. Pure: the same messages and rules, the same classes.
 */
import type { FileAccess } from '../../domain/file-reference.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, Part } from '../../domain/message.ts'
import type { MessageClass } from '../../domain/message-class.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import { agesOf, type MessageAge } from './message-ages.ts'
import { tellsFailure } from './tells-failure.ts'
import { type TrackedFiles, wasModified } from './track-files.ts'

export interface Classified extends MessageAge {
  readonly class: MessageClass
  readonly priority: number
  /** Holds calls or results. */
  readonly toolUse: boolean
  /** A result in it tells of a failure. */
  readonly failed: boolean
  /** The files that it is about. */
  readonly paths: readonly string[]
}

type Classifiable = Pick<Message, 'seq' | 'role' | 'parts' | 'meta'>

export interface Classifying {
  readonly rules: Pick<TrimRules, 'priorities' | 'recentSteps' | 'recentTurns'>
  readonly tracked: TrackedFiles
  /** A summary stands for the messages before this place. */
  readonly summarizedTo: Seq
}

/** One for each message. They follow one another without a gap. */
export function classifyMessages(
  messages: readonly Classifiable[],
  classifying: Classifying,
): readonly Classified[] {
  const { rules, tracked } = classifying
  const ages = agesOf(messages)
  const task = messages.findLastIndex((message) => isSpoken(message) && !isInstructions(message))
  return messages.map((message, at) => {
    const age = ages[at] ?? { step: 0, stepsAgo: 0, turnsAgo: 0 }
    const accesses = tracked.accesses.get(message.seq) ?? []
    const found = at === task ? 'task' : classOf(message, age, accesses, classifying)
    return {
      ...age,
      class: found,
      priority: priorityOf(found, message, rules),
      toolUse: holdsToolUse(message),
      failed: message.parts.some((part) => isFailure(part, accesses)),
      paths: [...new Set(accesses.map(({ path }) => path))],
    }
  })
}

/** The first of these that it is. */
function classOf(
  message: Classifiable,
  { stepsAgo, turnsAgo }: MessageAge,
  accesses: readonly FileAccess[],
  { rules, tracked, summarizedTo }: Classifying,
): MessageClass {
  if (message.role === 'system') return 'system'
  if (isInstructions(message)) return 'instructions'
  if (message.seq < summarizedTo) return 'summarized'
  const recent = stepsAgo <= rules.recentSteps
  if (accesses.some(({ path }) => wasModified(tracked, path))) return 'modified-file'
  if (accesses.length > 0) return recent ? 'recent-file' : 'stale-output'
  if (holdsToolUse(message)) return recent ? 'recent-turn' : 'stale-output'
  if (turnsAgo <= rules.recentTurns) return 'recent-turn'
  return isSpoken(message) ? 'old-said' : 'old-reply'
}

/** What a user said lately is worth no less than what one said long ago. */
function priorityOf(
  found: MessageClass,
  message: Classifiable,
  { priorities }: Classifying['rules'],
): number {
  if (found !== 'recent-turn' || holdsToolUse(message)) return priorities[found]
  return Math.max(priorities[found], priorities[isSpoken(message) ? 'old-said' : 'old-reply'])
}

/** By its own note, or by the title that agents put over such a file. */
function isInstructions({ role, parts, meta }: Pick<Message, 'role' | 'parts' | 'meta'>): boolean {
  if (meta?.['instructions'] === true) return true
  const [first] = parts
  return role === 'user' && first?.type === 'text' && titled.test(first.text.slice(0, 200))
}

const titled = /^\s*(?:#+\s*(?:AGENTS|CLAUDE|GEMINI)\.md\b|<(?:user_|agent_)?instructions>)/i

export function holdsToolUse({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some(({ type }) => type === 'tool-result' || type === 'tool-call')
}

/** A file that was read may speak of errors and hold none. */
function isFailure(part: Part, accesses: readonly FileAccess[]): boolean {
  if (part.type !== 'tool-result') return false
  return !accesses.some(({ callId }) => callId === part.callId) && tellsFailure(part)
}
