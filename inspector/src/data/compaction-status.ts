/** Which compactions requests use now, which of them later ones continue, and which a person has undone. */
import type { Receipt, ViewVersion } from './types.ts'

/** `changed`: not undone, but its view ended, as when a message was edited. */
export type CompactionStatus = 'in-use' | 'continued' | 'undone' | 'changed'

/** By the version of the receipt. Receipts and versions are ordered newest first. */
export function statusesOf(
  receipts: readonly Receipt[],
  versions: readonly ViewVersion[],
): ReadonlyMap<number, CompactionStatus> {
  const undone = undoneVersions(versions)
  const inUse = new Set(
    [...byModel(versions).values()].flatMap((ofModel) => {
      const path = pathOf(ofModel).steps
      const ended = path.findIndex(({ epoch }) => epoch === null)
      const current = (ended < 0 ? path : path.slice(0, ended)).find((step) =>
        receipts.some(({ version }) => version === step.version),
      )
      return current === undefined ? [] : [current.version]
    }),
  )
  const known = new Set(versions.map(({ version }) => version))
  return new Map(
    receipts.map(({ version }) => {
      if (inUse.has(version)) return [version, 'in-use']
      if (undone.has(version)) return [version, 'undone']
      return [version, known.has(version) ? 'continued' : 'changed']
    }),
  )
}

/** The compactions that an undo at this one takes back: itself if it is in use, or all after it. */
export function undoneAt(
  { version, model }: Receipt,
  receipts: readonly Receipt[],
  statuses: ReadonlyMap<number, CompactionStatus>,
): readonly Receipt[] {
  const from = statuses.get(version) === 'in-use' ? version : version + 1
  const isUsed = (each: Receipt) => /in-use|continued/.test(statuses.get(each.version) ?? '')
  return receipts.filter((each) => each.model === model && each.version >= from && isUsed(each))
}

/** States that no longer lead to what a model sees now, because a person went back before them. */
export function undoneVersions(versions: readonly ViewVersion[]): ReadonlySet<number> {
  const undone = [...byModel(versions).values()].flatMap((ofModel) => {
    const { steps, from } = pathOf(ofModel)
    const onPath = new Set(steps.map(({ version }) => version))
    return ofModel.filter(
      ({ version, cause }) => cause !== 'restored' && version >= from && !onPath.has(version),
    )
  })
  return new Set(undone.map(({ version }) => version))
}

interface Path {
  /** The current state and those that it continues, newest first; restored ones as their originals. */
  readonly steps: readonly ViewVersion[]
  /** What happened before this version is not known: its original is no longer kept. */
  readonly from: number
}

function pathOf(ofModel: readonly ViewVersion[]): Path {
  const steps: ViewVersion[] = []
  let at = ofModel.find(({ current }) => current)
  while (at !== undefined) {
    const { cause, of, version } = at
    const step = cause === 'restored' ? ofModel.find((each) => each.version === of) : at
    // Everything was shown again.
    if (cause === 'restored' && of === null) return { steps, from: 0 }
    if (step === undefined) return { steps, from: version }
    steps.push(step)
    at = ofModel.find((each) => each.version < step.version)
  }
  return { steps, from: 0 }
}

function byModel(versions: readonly ViewVersion[]): ReadonlyMap<string, readonly ViewVersion[]> {
  return Map.groupBy(versions, ({ model }) => model)
}
