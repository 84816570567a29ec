/** What a caller says about a conversation, checked as messages are. */
import type { ParentLink } from '../domain/conversation.ts'
import { conversationId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ConversationChanges } from '../ports/store.ts'
import { jsonObjectOrNull, object, onlyFields, string, stringOrNull } from './check-fields.ts'

export function checkChanges(value: unknown): ConversationChanges {
  const changes = object(value, 'changes')
  onlyFields(changes, ['title', 'meta'], 'changes')
  const title = changes['title']
  const meta = changes['meta']
  return {
    ...(title !== undefined && { title: title === null ? null : string(title, 'changes.title') }),
    ...(meta !== undefined && {
      meta: meta === null ? null : jsonObjectOrNull(meta, 'changes.meta'),
    }),
  }
}

export interface NewConversation {
  readonly title: string | null
  readonly meta: JsonObject | null
  readonly parent: ParentLink | null
}

export function checkNewConversation(value: unknown): NewConversation {
  const input = object(value, 'conversation')
  onlyFields(input, ['title', 'meta', 'parent'], 'conversation')
  return {
    title: stringOrNull(input['title'], 'conversation.title'),
    meta: jsonObjectOrNull(input['meta'], 'conversation.meta'),
    parent: input['parent'] === undefined ? null : checkParent(input['parent']),
  }
}

function checkParent(value: unknown): ParentLink {
  const parent = object(value, 'conversation.parent')
  onlyFields(parent, ['conversationId', 'callId'], 'conversation.parent')
  return {
    conversationId: conversationId(parent['conversationId']),
    callId: stringOrNull(parent['callId'], 'conversation.parent.callId'),
  }
}
