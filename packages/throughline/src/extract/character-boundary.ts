/**
 * Where a text may be cut so that what a reader takes for one character stays whole: a letter with
 * its marks, a flag, a family. Only what stands near is looked at, so that a text of megabytes
 * costs no more than a line, and marks without end are cut all the same.
 */

/** The place itself, or the one before the character that it lies in. */
export function boundaryBefore(text: string, at: number): number {
  if (isPlain(text, at)) return at
  const start = Math.max(0, at - near)
  const index =
    clusters()
      .segment(text.slice(start, at + near))
      .containing(at - start)?.index ?? 0
  if (index > 0) return start + index
  return splitsPair(text, at) ? at - 1 : at
}

/** The place itself, or the one behind the character that it lies in. */
export function boundaryBehind(text: string, at: number): number {
  if (isPlain(text, at)) return at
  const start = Math.max(0, at - near)
  const window = text.slice(start, at + near)
  const cluster = clusters()
    .segment(window)
    .containing(at - start)
  if (cluster === undefined || start + cluster.index === at) return at
  const end = cluster.index + cluster.segment.length
  if (end < window.length || start + end === text.length) return start + end
  return splitsPair(text, at) ? at + 1 : at
}

const near = 40

/** Made when it is first needed: most texts need none, and to make it takes longer than to load much else. */
function clusters(): Intl.Segmenter {
  made ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return made
}

let made: Intl.Segmenter | undefined

/** No sign that goes on with a character is below these, and most texts are. */
function isPlain(text: string, at: number): boolean {
  return at <= 0 || at >= text.length || text.charCodeAt(at) < firstMark
}

const firstMark = 0x300

function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}
