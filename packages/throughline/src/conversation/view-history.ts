/** What can be looked at and taken back of the views of a conversation. */

import type { Result } from '../domain/result.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import type { ViewVersion } from '../domain/view.ts'
import type { NotFound } from './change-conversation.ts'
import { type EditSummaryFailure, type EditSummaryInput, editSummaryOf } from './edit-summary.ts'
import {
  restore,
  type UndoFailure,
  type UndoInput,
  undo,
  type VersionsInput,
  versionsOf,
} from './restore-view.ts'
import type { Internals } from './runtime.ts'

export interface ViewHistory {
  /**
   * The views that were in force, newest first: what can be restored.
   *
   * @example
   * for (const { version, line, cause } of await chat.history.versions({ limit: 5 }))
   *   console.log(version, line, cause)
   */
  versions(query?: VersionsInput): Promise<readonly ViewVersion[]>
  /**
   * Back to what stood before the last compactions, in one step. No trigger compacts until
   * `chat.compact()` asks for it, or a request would not fit.
   *
   * @example
   * const undone = await chat.history.undo()
   * console.log(undone.ok ? `messages before #${undone.value.line} are not shown` : undone.failure)
   */
  undo(options?: UndoInput): Promise<Result<ViewVersion, UndoFailure>>
  /**
   * Back, or forth again, to any version that is kept. Triggers wait as behind `undo`, but not
   * where it is the version that stood before the first step back.
   *
   * @example
   * const [, before] = await chat.history.versions({ limit: 2 })
   * if (before !== undefined) await chat.history.restore(before.version)
   */
  restore(version: number): Promise<Result<ViewVersion, NotFound>>
  /**
   * Corrects what the contexts of a model say in place of the messages that they do not show.
   * Later summaries go on from it.
   *
   * @example
   * await chat.history.editSummary({ model: 'openai/gpt-5-mini', text: 'They chose SQLite.' })
   */
  editSummary(edit: EditSummaryInput): Promise<Result<SummaryRecord, EditSummaryFailure>>
}

export function viewHistory(chat: Internals): ViewHistory {
  return {
    versions: async (query = {}) => versionsOf(chat, query),
    undo: async (options = {}) => undo(chat, options),
    restore: async (version) => restore(chat, version),
    editSummary: async (edit) => editSummaryOf(chat, edit),
  }
}
