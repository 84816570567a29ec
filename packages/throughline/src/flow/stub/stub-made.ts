/** What a stub is made with, in a word that it is known by: made with the same, it is the same. */
import type { FileReference } from '../../domain/file-reference.ts'
import { shortHash } from '../../domain/short-hash.ts'
import type { StubbedMessage } from '../../domain/view.ts'

export interface StubOptions {
  /** For all of its texts together, without the notes. */
  readonly keepTokens: number
  /**
   * Reasoning of the running turn, sealed or not, goes back to its provider with the calls
   * that came of it, or the provider refuses them; anywhere else it is the first to go.
   */
  readonly keepReasoning: boolean
  /** What is known of the files whose texts its results are, by the ids of the calls. */
  readonly files?: ReadonlyMap<string, FileReference> | undefined
  /** What models have told of it; it stands with the longest of its texts. */
  readonly digest?: string | undefined
}

export function madeAs(options: StubOptions): string {
  const { keepTokens, keepReasoning, files } = options
  // A file may have been used again since, and then its stub says so.
  const uses = [...(files?.values() ?? [])].map(
    ({ operation, lastSeq, modifiedSeq }) => ` ${operation} #${lastSeq} #${modifiedSeq ?? ''}`,
  )
  const digest = digestOf(options)
  const told = digest === undefined ? '' : ` ${digestMade} ${shortHash(digest)}`
  return `${keepTokens}${keepReasoning ? ' with reasoning' : ''}${uses.join('')}${told}`
}

const digestMade = 'digest'

/** Of one that is told with its whole unit, nothing more is told. */
export function holdsDigest({ made }: Pick<StubbedMessage, 'made'>): boolean {
  return made === unitMade || made.includes(` ${digestMade} `)
}

/** Where a stub is to have next to nothing, there is no room for it either. */
export function digestOf({ keepTokens, digest }: StubOptions): string | undefined {
  return keepTokens < leastTold ? undefined : digest
}

/** With fewer tokens nothing is told. */
export const leastTold = 24

/** How the stubs of a unit are known. */
export const unitMade = 'unit'
