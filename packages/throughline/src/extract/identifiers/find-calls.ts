/** Calls without arguments, `a.b.c()`: the brackets say that what is before them is a symbol. */
import { type Identifier, identifier } from './identifier.ts'

const brackets = '()'
const longest = 200

export function* findCalls(text: string): Generator<Identifier> {
  for (let at = text.indexOf(brackets); at >= 0; at = text.indexOf(brackets, at + 2)) {
    const called =
      /(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->|\?\.)){0,12}[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(
        text.slice(callStart(text, at), at),
      )?.[0]
    if (called !== undefined) yield identifier('symbol', called + brackets, at - called.length)
  }
}

/** Back to the first character that no chain of names holds. */
function callStart(text: string, end: number): number {
  let from = end
  while (from > 0 && end - from < longest && holds(text.charCodeAt(from - 1))) from -= 1
  return from
}

function holds(code: number): boolean {
  return code >= 128 || /[\w$.:>?-]/.test(String.fromCharCode(code))
}
