/** Hindsight put together from what was used behind a compaction, and what stood in its context. Pure. */
import { anchorOf } from '../../domain/anchor.ts'
import type { Hindsight, NeededNames, RecalledSpan, ReopenedFile } from '../../domain/hindsight.ts'
import type { Expansion } from '../../domain/receipt.ts'
import type { Span } from '../../domain/span.ts'
import type { Redact } from '../redact/redactor.ts'
import { bareName } from './file-names.ts'
import type { KnownBelow } from './known-below.ts'
import type { UsedName, UsesSince } from './uses-since.ts'

export interface HindsightInput {
  readonly at: number
  readonly looked: Span
  readonly uses: UsesSince
  readonly known: KnownBelow
  /** What the compaction left in the context. */
  readonly left: readonly string[]
  readonly expanded: readonly Expansion[]
  readonly redact: Redact
}

export function hindsightOf(input: HindsightInput): Hindsight {
  const { at, looked, uses, known, redact } = input
  const reopened = [...uses.opened]
    .flatMap(([key, places]) => {
      const path = known.files.get(key)
      return path === undefined ? [] : [{ path, places, times: places.length }]
    })
    .sort((left, right) => right.times - left.times)
  const recalled = recalledOf(input)
  return {
    at,
    looked,
    reopened: reopened.slice(0, listed).map(({ path, places, times }): ReopenedFile => {
      return { path: redact(path), times, places: places.slice(0, placesListed) }
    }),
    reopenedFiles: reopened.length,
    recalled: recalled.slice(0, listed),
    recalls: recalled.reduce((sum, { times }) => sum + times, 0),
    names: neededNames(input),
  }
}

const listed = 50
const placesListed = 20

function recalledOf({ uses, expanded, redact }: HindsightInput): readonly RecalledSpan[] {
  return [
    ...uses.recalled.map((one) => ({ ...one, about: redact(one.about) })),
    ...expanded.map(
      ({ span, times }): RecalledSpan => ({
        tool: 'expand',
        by: 'program',
        about: anchorOf(span),
        seq: null,
        times,
      }),
    ),
  ]
}

function neededNames({ uses, known, left, redact }: HindsightInput): NeededNames {
  const used = [...uses.names.values()].filter(({ name }) => known.names.has(name))
  const needed = used.slice(0, namesLookedFor).filter((one) => !isShownAgain(one, uses))
  const missing = needed.filter((one) => !left.some((text) => standsIn(one, text)))
  return {
    needed: needed.length,
    shown: needed.length - missing.length,
    missing: missing.slice(0, namesListed).map(({ name }) => redact(known.names.get(name) ?? name)),
  }
}

// Each is looked for in all that was said.
const namesLookedFor = 400
const namesListed = 20

function isShownAgain(used: UsedName, { said }: UsesSince): boolean {
  return said.some(({ seq, text }) => seq < used.seq && standsIn(used, text))
}

/** A file stands where its name does, whatever folder is named with it. */
function standsIn({ name, kind }: UsedName, text: string): boolean {
  return text.includes(kind === 'file' ? bareName(name) : name)
}
