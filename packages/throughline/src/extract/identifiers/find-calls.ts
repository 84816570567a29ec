/** Calls without arguments, `a.b.c()`: the brackets say that what is before them is a symbol. */
import { type Identifier, identifier } from './identifier.ts'

const brackets = '()'
const longest = 200

export function findCalls(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  for (let at = text.indexOf(brackets); at >= 0; at = text.indexOf(brackets, at + 2)) {
    const called =
      /(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->|\?\.)){0,12}[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(
        text.slice(callStart(text, at), at),
      )?.[0]
    if (called !== undefined)
      found.push(identifier('symbol', called + brackets, at - called.length))
  }
  return found
}

/** Back to the first character that no chain of names holds. */
function callStart(text: string, end: number): number {
  let from = end
  while (from > 0 && end - from < longest && holds(text.charCodeAt(from - 1))) from -= 1
  return from
}

const chained: Uint8Array = new Uint8Array(128).fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123)
for (const mark of '_$.:>?-') chained[mark.charCodeAt(0)] = 1

function holds(code: number): boolean {
  return code >= 128 || chained[code] === 1
}
