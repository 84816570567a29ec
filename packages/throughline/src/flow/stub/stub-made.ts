/** What a stub is made with, in a word that it is known by: made with the same, it is the same. */
import { defaults } from '../../defaults.ts'
import { shortHash } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { FileReference } from '../../domain/ledger.ts'
import type { MessageInput, Part, PartInput } from '../../domain/message.ts'
import type { StubbedMessage, View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'

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
  /** A digest of it by models, shown with the longest of its texts. */
  readonly digest?: string | undefined
}

export function madeAs(options: StubOptions): string {
  const { keepTokens, keepReasoning, files } = options
  // A file may have been used again since, and then its stub says so.
  const uses = [...(files?.values() ?? [])].map(
    ({ operation, lastSeq, modifiedSeq }) => ` ${operation} #${lastSeq} #${modifiedSeq ?? ''}`,
  )
  const digest = digestOf(options)
  const digested = digest === undefined ? '' : ` ${digestMade} ${shortHash(digest)}`
  return `${keepTokens}${keepReasoning ? ' with reasoning' : ''}${uses.join('')}${digested}`
}

const digestMade = 'digest'

/** A message that is described with its whole unit needs no digest. */
function holdsDigest({ made }: Pick<StubbedMessage, 'made'>): boolean {
  return made === unitMade || made.includes(` ${digestMade} `)
}

/** Where a stub is to have next to nothing, there is no room for it either. */
export function digestOf({ keepTokens, digest }: StubOptions): string | undefined {
  return keepTokens < leastTold ? undefined : digest
}

/** With fewer tokens nothing is described. */
export const leastTold = 24

/** How the stubs of a unit are known. */
export const unitMade = 'unit'

/**
 * Messages of a view that are so large that a digest is worth its calls, and that have none
 * in their stubs. Large for themselves, because a digest has some hundred tokens; and large for
 * the window, because what is smaller finds room in it mostly, and sessions with tools are
 * full of such messages, each of which would have to be paid for.
 */
export function giantsIn({ stubs }: Pick<View, 'stubs'>, { card }: Meter): readonly Seq[] {
  const { giantTokens, giantRatio } = defaults
  const most = Math.max(giantTokens.value, card.contextWindowTokens * giantRatio.value)
  return stubs.filter((stub) => stub.wholeTokens > most && !holdsDigest(stub)).map(({ seq }) => seq)
}

/** A stub as an input message, so that a caller can pass it on. */
export function stubToInput({
  role,
  author,
  parts,
}: Pick<StubbedMessage, 'role' | 'author' | 'parts'>): MessageInput {
  return {
    role,
    content: parts.flatMap(partToInput),
    ...(author === null ? {} : { author }),
  }
}

/** Files, documents and pictures in outputs are described in words by a stub. */
function partToInput(part: Part): readonly PartInput[] {
  const { type } = part
  if (type === 'file' || type === 'resource-excerpt' || type === 'attachment-ref') return []
  if (type === 'tool-result' && part.output.kind === 'parts') return []
  // A part is an input, but for fields that are known to be empty: an input leaves them out.
  const given = Object.entries(part).filter(([, value]) => value !== null)
  return [Object.fromEntries(given) as unknown as PartInput]
}
