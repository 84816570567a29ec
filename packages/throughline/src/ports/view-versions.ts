/** What a store is asked for the views that were in force, and told where one of them is again. */
import type { ConversationId } from '../domain/ids.ts'
import type { View } from '../domain/view.ts'

export interface VersionsQuery {
  readonly id: ConversationId
  /** Null for those of all models. */
  readonly model: string | null
  readonly limit: number
}

export interface ViewOfQuery {
  readonly id: ConversationId
  readonly version: number
}

export interface VersionedView {
  readonly model: string
  /** Null where everything was shown. */
  readonly view: View | null
}

export interface RestoredView {
  /** The version; null for what was before the first: everything is shown. */
  readonly of: number | null
  /** Ids of summaries that nothing goes on from any more, and of those that it does again. */
  readonly withdrawn: readonly string[]
  readonly returned: readonly string[]
}
