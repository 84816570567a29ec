/** Undo and restore: selects an earlier view and commits it again. */
import { defaults } from '../defaults-data.ts'
import { loadVersionedView, loadVersions } from '../derived/receipts.ts'
import { loadSummaries } from '../derived/rows.ts'
import { loadState } from '../derived/state.ts'
import type { CompactionControl, Conversation, Suspended } from '../domain/conversation.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { wholeNumber } from '../domain/span.ts'
import { figuresOf, type View, type ViewVersion, withInserts } from '../domain/view.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { basisOf } from '../flow/project/basis.ts'
import { fullView } from '../flow/project/whole-log.ts'
import {
  compactionIndexes,
  type KeptVersions,
  restoredVersion,
  undoSteps,
  undoTarget,
  withdrawSummaries,
} from '../flow/undo/undo-path.ts'
import { commitComputedChanges, type NotFound } from './change-conversation.ts'
import { type Internals, meterNamed } from './runtime.ts'

/** The options of `chat.history.undo`. */
export interface UndoInput {
  /** By default the model of the newest compaction. */
  readonly model?: string | undefined
  /** How many to undo at once; 1 by default. */
  readonly compactions?: number | undefined
}

/** `fewer`: only so many compactions can be undone. */
export type UndoFailure = NotFound | { readonly kind: 'fewer'; readonly compactions: number }

export async function undo(
  chat: Internals,
  input: UndoInput,
): Promise<Result<ViewVersion, UndoFailure>> {
  const { model, compactions = 1 } = checkOptions(input, ['model', 'compactions'], 'undo')
  if (wholeNumber(compactions) === 0) throw invalidOption('undo: compactions must be at least 1')
  const name = await cardNamed(model, 'undo', chat)
  return restoreChosen(chat, (versions) => {
    const ofModel = name ?? newestCompacted(versions)
    const ownVersions = versions.versions.filter((each) => each.model === ofModel)
    const known = { ...versions, versions: ownVersions }
    const [inForce] = known.versions
    if (inForce === undefined) return fail({ kind: 'fewer', compactions: 0 })
    const before = undoTarget(undoSteps(known, inForce), compactions)
    return 'fewer' in before
      ? fail({ kind: 'fewer', compactions: before.fewer })
      : ok({ known, inForce, step: before.step })
  })
}

/** Null where no model is named. */
async function cardNamed(model: string | undefined, where: string, { runtime }: Internals) {
  return model === undefined ? null : (await meterNamed(model, where, runtime)).card.id
}

export async function restore(
  chat: Internals,
  version: number,
): Promise<Result<ViewVersion, NotFound>> {
  const asked = wholeNumber(version)
  return restoreChosen(chat, ({ versions, isWhole }) => {
    const row = versions.find((each) => each.version === asked)
    const known = { isWhole, versions: versions.filter(({ model }) => model === row?.model) }
    const [inForce] = known.versions
    if (row === undefined || inForce === undefined) return fail({ kind: 'not-found' })
    const original = restoredVersion(known, row)
    // The version that it was restored from may be dropped already; then this row serves.
    return ok({ known, inForce, step: original === 'unknown' ? row : original })
  })
}

/** The model with the last compaction that is not undone. */
function newestCompacted({ versions, isWhole }: KeptVersions): string | null {
  let newest: ViewVersion | null = null
  for (const [, ofModel] of Map.groupBy(versions, ({ model }) => model)) {
    const back = undoSteps({ versions: ofModel, isWhole }, ofModel[0] ?? null)
    const last = back.steps[compactionIndexes(back)[0] ?? -1]
    if (last !== undefined && last.version > (newest?.version ?? -1)) newest = last
  }
  return newest?.model ?? null
}

interface RestorePlan {
  readonly known: KeptVersions
  readonly inForce: ViewVersion
  /** The view to restore. */
  readonly step: ViewVersion | 'everything'
}

/**
 * Restores an earlier view in one commit: the view under a new epoch, the summaries that are
 * withdrawn or reinstated with it, and a suspension of triggers. Without that, the next request
 * would only repeat the undone compaction.
 */
async function restoreChosen<Failure extends { readonly kind: string }>(
  chat: Internals,
  choose: (versions: KeptVersions) => Result<RestorePlan, Failure>,
): Promise<Result<ViewVersion, Failure | NotFound>> {
  const { store, id, runtime } = chat
  const at = runtime.now()
  const look = async (conversation: Conversation) => {
    const versions =
      (await loadVersions(store, { id, model: null, limit: keptRows.versions })) ?? []
    const plan = choose({ versions, isWhole: versions.length < keptRows.versions })
    if (!plan.ok) return plan
    const { inForce, step, known } = plan.value
    const restored = await restoreChanges(chat, conversation, plan.value)
    // Another model's summary may have been withdrawn.
    const isInForce = inForce.current && isSame(known, inForce, step)
    const isDone = isInForce && restored.restored.returned.length === 0
    return ok({ changes: isDone ? {} : restored, inForce, restored: isDone ? null : restored })
  }
  const changed = await commitComputedChanges(chat, look, at)
  if (!changed.ok) return changed
  const { inForce, restored, conversation } = changed.value
  if (restored === null) return ok(inForce)
  const { version } = conversation
  const { of } = restored.restored
  const figures = figuresOf(restored.view.view)
  return ok({ version, model: inForce.model, ...figures, of, at, current: true })
}

async function restoreChanges(
  { store, id, runtime }: Internals,
  { pins, compaction }: Conversation,
  plan: RestorePlan,
) {
  const { known, inForce, step } = plan
  const { model } = inForce
  const isEverything = step === 'everything'
  const kept = isEverything ? null : await loadVersionedView(store, { id, version: step.version })
  const view = kept?.view ?? null
  const last = (await loadState(store, { id, model }))?.last ?? null
  const epochs = known.versions.map(({ epoch }) => epoch ?? 0)
  const meter = await runtime.meter(model)
  const basis = basisOf(meter, pins, runtime.settings.policyHash)
  const restored: View = {
    ...(view === null ? { ...fullView, basis } : withInserts(view)),
    epoch: Math.max(last?.epoch ?? 0, ...epochs) + 1,
    cause: 'restored',
  }
  const summaries = (await loadSummaries(store, { id, limit: summariesMax, skip: 0 })) ?? []
  const summaryChanges = withdrawSummaries(summaries, {
    undone: undoneBy(plan).map(({ summaryId }) => summaryId),
    restored: restored.history?.written?.id ?? null,
  })
  return {
    view: { model, view: restored },
    restored: { of: shownBy(step), ...summaryChanges },
    compaction: controlAfter(compaction, plan),
  }
}

const summariesMax = 100_000

function shownBy(step: RestorePlan['step']): number | null {
  if (step === 'everything') return null
  return step.cause === 'restored' ? step.of : step.version
}

/** The steps that lead to the current view, but not to the restored one. */
function undoneBy({ known, inForce, step }: RestorePlan): readonly ViewVersion[] {
  const left = step === 'everything' ? [] : undoSteps(known, step).steps
  return undoSteps(known, inForce).steps.filter((each) => !left.includes(each))
}

function isSame(known: KeptVersions, inForce: ViewVersion, step: RestorePlan['step']): boolean {
  return inForce === step || restoredVersion(known, inForce) === step
}

/** Drops manual requests for a compaction. Restoring the version before an undo resumes triggers. */
function controlAfter(before: CompactionControl, { known, inForce, step }: RestorePlan) {
  const { model, version } = inForce
  const asked = before.asked?.reason === 'manual' ? null : before.asked
  const others = before.suspended.filter((each) => each.model !== model)
  const suspension: Suspended = before.suspended.find((each) => each.model === model) ?? {
    model,
    version,
  }
  const beforeUndo = known.versions.find((each) => each.version === suspension.version)
  const endsUndo = beforeUndo !== undefined && isSame(known, beforeUndo, step)
  return { ...before, asked, suspended: endsUndo ? others : [...others, suspension] }
}

/** The options of `chat.history.versions`. */
export interface VersionsInput {
  /** Of all models by default. */
  readonly model?: string | undefined
  readonly limit?: number | undefined
}

export async function versionsOf(chat: Internals, input: VersionsInput) {
  const asked = checkOptions(input, ['model', 'limit'], 'versions')
  const limit = wholeNumber(asked.limit ?? defaults.pageRows)
  const model = await cardNamed(asked.model, 'versions', chat)
  return (await loadVersions(chat.store, { id: chat.id, model, limit })) ?? []
}
