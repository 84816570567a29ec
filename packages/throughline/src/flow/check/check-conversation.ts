/** Checks the values with which a caller creates or changes a conversation. */
import type { ConversationChanges } from '../../derived/changes.ts'
import type { CompactionMode, ParentLink } from '../../domain/conversation.ts'
import { conversationId, type Seq } from '../../domain/ids.ts'
import { wholeNumber } from '../../domain/span.ts'
import {
  checkFieldNames,
  checkJsonObjectOrNull,
  checkObject,
  checkString,
  checkWellFormed,
  invalid,
} from './check-fields.ts'

type CheckedChanges = Pick<ConversationChanges, 'title' | 'meta'> & {
  readonly titleFrom?: Seq
  readonly compaction?: CompactionMode | null
}

export function checkChanges(value: unknown): CheckedChanges {
  const changes = checkObject(value, 'changes')
  checkFieldNames(changes, ['title', 'titleFrom', 'meta', 'compaction'], 'changes')
  const { title, titleFrom, meta, compaction } = changes
  if (title !== undefined && titleFrom !== undefined)
    throw invalid('changes.titleFrom', 'cannot be combined with title; give one of the two')
  return {
    ...(titleFrom !== undefined && { titleFrom: wholeNumber(titleFrom as number) }),
    ...(compaction !== undefined && { compaction: checkMode(compaction, 'changes.compaction') }),
    ...(title !== undefined && { title: checkShortTextOrNull(title, 'changes.title') }),
    ...(meta !== undefined && { meta: checkJsonObjectOrNull(meta ?? undefined, 'changes.meta') }),
  }
}

function checkMode(value: unknown, where: string): CompactionMode | null {
  if (value === null || value === 'on' || value === 'off' || value === 'shadow') return value
  throw invalid(where, 'must be "on", "off", "shadow", or null for the setting of the engine')
}

export function checkNewConversation(value: unknown) {
  const input = checkObject(value, 'conversation')
  checkFieldNames(input, ['title', 'meta', 'parent'], 'conversation')
  return {
    title: checkShortTextOrNull(input['title'], 'conversation.title'),
    meta: checkJsonObjectOrNull(input['meta'] ?? undefined, 'conversation.meta'),
    parent: checkParentOrNull(input['parent']),
  }
}

function checkParentOrNull(value: unknown): ParentLink | null {
  if (value === undefined || value === null) return null
  const parent = checkObject(value, 'conversation.parent')
  checkFieldNames(parent, ['conversationId', 'callId'], 'conversation.parent')
  return {
    conversationId: conversationId(parent['conversationId']),
    callId: checkShortTextOrNull(parent['callId'], 'conversation.parent.callId'),
  }
}

const maxCharacters = 4_096

/** For titles and call ids. */
function checkShortTextOrNull(value: unknown, where: string): string | null {
  if (value === undefined || value === null) return null
  const text = checkWellFormed(checkString(value, where), where)
  if (text.length <= maxCharacters) return text
  throw invalid(where, `must have at most ${maxCharacters} characters`)
}
