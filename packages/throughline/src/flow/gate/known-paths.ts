/**
 * The paths that the sources name. A draft may leave out folders or the extension, but must not
 * combine parts of different paths. Only neighbouring segments are stored, so the time is linear.
 */
import { segmentsOf } from '../../extract/literals/exact-values.ts'

const maxSegments = 40
/** How often a path of a draft may continue with the start of another known path. */
const maxJoints = 2

export class KnownPaths {
  /** Two or three segments that follow one another in a path. */
  readonly #neighbours = new Set<string>()
  readonly #segments = new Set<string>()
  /** First segments of known paths; a draft may put a known folder before them. */
  readonly #starts = new Set<string>()

  add(run: string): void {
    const segments = segmentsOf(run).slice(0, maxSegments)
    const [first] = segments
    if (first === undefined) return
    const last = segments.at(-1) ?? first
    this.#starts.add(first)
    for (const [at, segment] of segments.entries()) this.#addSegment(segments, at, segment)
    const baseName = last.replace(/(?<=.)\.[A-Za-z][A-Za-z0-9]{0,9}$/, '')
    this.#addSegment(segments, segments.length - 1, baseName)
    if (segments.length === 1) this.#starts.add(baseName)
  }

  #addSegment(segments: readonly string[], at: number, segment: string): void {
    this.#segments.add(segment)
    const parent = segments[at - 1]
    if (parent === undefined) return
    this.#neighbours.add(`${parent}/${segment}`)
    const grandparent = segments[at - 2]
    if (grandparent !== undefined) this.#neighbours.add(`${grandparent}/${parent}/${segment}`)
  }

  has(run: string): boolean {
    const segments = segmentsOf(run)
    if (segments.length > maxSegments || !this.#segments.has(segments[0] ?? '')) return false
    let pathStart = 0
    let joints = 0
    for (let at = 1; at < segments.length; at += 1) {
      if (this.#isLinked(segments, at, pathStart)) continue
      joints += 1
      if (joints > maxJoints || !this.#starts.has(segments[at] ?? '')) return false
      pathStart = at
    }
    return true
  }

  #isLinked(segments: readonly string[], at: number, pathStart: number): boolean {
    const pair = `${segments[at - 1]}/${segments[at]}`
    if (!this.#neighbours.has(pair)) return false
    return at - pathStart < 2 || this.#neighbours.has(`${segments[at - 2]}/${pair}`)
  }
}
