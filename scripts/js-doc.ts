/** Parses the comment of a declaration or a file. */

export interface JsDoc {
  /** All text before the example, on one line. */
  readonly prose: string
  /** The first sentence; empty when there is no comment. */
  readonly sentence: string
  /** The code below `@example`; empty when there is none. */
  readonly example: string
  /** Names after "See", if another export has the example. */
  readonly see: readonly string[]
}

export function readJsDoc(comment: string): JsDoc {
  const lines = comment.replace(/^\/\*\*|\*\/\n*$/g, '').replace(/^[ ]*\*[ ]?/gm, '')
  const [prose = '', example = ''] = lines.split(/^@example\n/m)
  return {
    prose: prose.replace(/\s+/g, ' ').trim(),
    sentence: firstSentence(prose),
    example: example.trim(),
    see: [...prose.matchAll(/\bSee\s((?:`\w+`(?:, | and )?)+)/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ),
  }
}

/** Up to the full stop that ends the first sentence; one in code or in a number does not count. */
function firstSentence(prose: string): string {
  const [paragraph = ''] = prose.trim().split(/\n\s*\n/)
  const line = paragraph.replace(/\s+/g, ' ')
  const end = /\.(?= [A-Z`{])|\.$/.exec(line)
  return end === null ? line : line.slice(0, end.index + 1)
}
