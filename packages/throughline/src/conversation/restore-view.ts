/** Undo and restore: which view is gone back to, among those that are kept. */
import type { ConversationId } from '../domain/ids.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { wholeNumber } from '../domain/span.ts'
import type { ViewVersion } from '../domain/view-version.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import {
  beforeCompactions,
  compactionsIn,
  type KeptVersions,
  originalOf,
  stepsBack,
} from '../flow/history/view-steps.ts'
import type { TenantStore } from '../ports/store.ts'
import type { NotFound } from './change-conversation.ts'
import type { Front } from './front.ts'
import { goBack } from './go-back.ts'
import { cardOf } from './versions.ts'

export interface UndoInput {
  /** The model of the newest compaction where it is left out. */
  readonly model?: string | undefined
  /** How many are undone at once; 1. */
  readonly compactions?: number | undefined
}

/** There are fewer compactions that can be undone: so many. */
export type UndoFailure = NotFound | { readonly kind: 'fewer'; readonly compactions: number }

export async function undo(
  store: TenantStore,
  id: ConversationId,
  input: UndoInput,
  front: Front,
): Promise<Result<ViewVersion, UndoFailure>> {
  const { model, compactions = 1 } = checkOptions(input, ['model', 'compactions'], 'undo')
  if (wholeNumber(compactions) === 0) throw invalidOption('undo: compactions must be at least 1')
  const name = model === undefined ? null : await cardOf(model, 'undo', front)
  return goBack(store, id, front, (versions) => {
    const ofModel = name ?? newestCompacted(versions)
    const known = {
      ...versions,
      versions: versions.versions.filter((each) => each.model === ofModel),
    }
    const [inForce] = known.versions
    if (inForce === undefined) return fail({ kind: 'fewer', compactions: 0 })
    const before = beforeCompactions(stepsBack(known, inForce), compactions)
    return 'fewer' in before
      ? fail({ kind: 'fewer', compactions: before.fewer })
      : ok({ known, inForce, step: before.step })
  })
}

export async function restore(
  store: TenantStore,
  id: ConversationId,
  version: number,
  front: Front,
): Promise<Result<ViewVersion, NotFound>> {
  const asked = wholeNumber(version)
  return goBack(store, id, front, ({ versions, isWhole }) => {
    const row = versions.find((each) => each.version === asked)
    const known = { isWhole, versions: versions.filter(({ model }) => model === row?.model) }
    const [inForce] = known.versions
    if (row === undefined || inForce === undefined) return fail({ kind: 'not-found' })
    const original = originalOf(known, row)
    // What it was restored from is not kept any more, but it is.
    return ok({ known, inForce, step: original === 'unknown' ? row : original })
  })
}

/** Of several models, the one whose compaction came last among those that are not undone. */
function newestCompacted({ versions, isWhole }: KeptVersions): string | null {
  let newest: ViewVersion | null = null
  for (const [, ofModel] of Map.groupBy(versions, ({ model }) => model)) {
    const back = stepsBack({ versions: ofModel, isWhole }, ofModel[0] ?? null)
    const last = back.steps[compactionsIn(back)[0] ?? -1]
    if (last !== undefined && last.version > (newest?.version ?? -1)) newest = last
  }
  return newest?.model ?? null
}
