/**
 * The paths that the sources name. A draft may leave out folders or the extension, but must not
 * combine parts of different paths. Only neighbouring segments are stored, so the time is linear.
 */
import { segmentsOf } from '../../extract/literals/exact-values.ts'

const maxSegments = 40
const maxJoints = 2

export class KnownPaths {
  readonly #neighbours = new Set<string>()
  readonly #segments = new Set<string>()
  /** First segments of known paths; a draft may put a known folder before them. */
  readonly #starts = new Set<string>()

  add(run: string): void {
    const segments = segmentsOf(run).slice(0, maxSegments)
    const [first] = segments
    const last = segments.at(-1)
    if (first === undefined || last === undefined) return
    this.#starts.add(first)
    for (const [at, segment] of segments.entries()) this.#addSegment(segments, at, segment)
    const bare = last.replace(/(?<=.)\.[A-Za-z][A-Za-z0-9]{0,9}$/, '')
    this.#addSegment(segments, segments.length - 1, bare)
    if (segments.length === 1) this.#starts.add(bare)
  }

  #addSegment(segments: readonly string[], at: number, segment: string): void {
    this.#segments.add(segment)
    const before = segments[at - 1]
    if (before === undefined) return
    this.#neighbours.add(`${before}/${segment}`)
    const first = segments[at - 2]
    if (first !== undefined) this.#neighbours.add(`${first}/${before}/${segment}`)
  }

  has(run: string): boolean {
    const segments = segmentsOf(run)
    if (segments.length > maxSegments || !this.#segments.has(segments[0] ?? '')) return false
    let from = 0
    let joints = 0
    for (let at = 1; at < segments.length; at += 1) {
      if (this.#isLinked(segments, at, from)) continue
      joints += 1
      if (joints > maxJoints || !this.#starts.has(segments[at] ?? '')) return false
      from = at
    }
    return true
  }

  #isLinked(segments: readonly string[], at: number, from: number): boolean {
    const pair = `${segments[at - 1]}/${segments[at]}`
    if (!this.#neighbours.has(pair)) return false
    return at - from < 2 || this.#neighbours.has(`${segments[at - 2]}/${pair}`)
  }
}
