/**
 * Places of values in a JSON text. A body that was parsed and written again has other bytes, which costs
 * clients their prompt caches; so we cut and join the text itself.
 */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** The values of an object by their names; of a name that is given twice, the last, as `JSON.parse` takes it. */
export function fieldSpans(text: string, from = 0): ReadonlyMap<string, TextSpan> {
  const spans = new Map<string, TextSpan>()
  let at = afterSpace(text, from)
  if (text[at] !== '{') return spans
  at = afterSpace(text, at + 1)
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at)
    const name: unknown = JSON.parse(text.slice(at, nameEnd))
    const start = afterSpace(text, afterSpace(text, nameEnd) + 1)
    const end = valueEnd(text, start)
    spans.set(String(name), { start, end })
    at = afterSpace(text, end)
    if (text[at] === ',') at = afterSpace(text, at + 1)
  }
  return spans
}

/** The items of the array at this place; none for another value. */
export function itemSpans(text: string, { start }: TextSpan): readonly TextSpan[] {
  const spans: TextSpan[] = []
  if (text[start] !== '[') return spans
  let at = afterSpace(text, start + 1)
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at)
    spans.push({ start: at, end })
    at = afterSpace(text, end)
    if (text[at] === ',') at = afterSpace(text, at + 1)
  }
  return spans
}

export function textAt(text: string, { start, end }: TextSpan): string {
  return text.slice(start, end)
}

/** The text must be valid JSON: callers have parsed it. */
function valueEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return stringEnd(text, start)
  if (first !== '{' && first !== '[') {
    let at = start
    while (at < text.length && !isEnd(text.charCodeAt(at))) at += 1
    return at
  }
  let depth = 0
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      continue
    }
    if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return text.length
}

const [quote, backslash, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d]
const [openBracket, closeBracket, comma] = [0x5b, 0x5d, 0x2c]

function isEnd(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || code <= 0x20
}

/** `indexOf` is much faster than a loop over the characters of long texts. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1
  return at
}
