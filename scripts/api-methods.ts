/** What is called on what an interface stands for, with the comment of each. */
import { type JsDoc, jsDocBefore } from './js-doc.ts'

export interface ApiMethod extends JsDoc {
  /** As it is called: `append`, `history.fork`. */
  readonly name: string
}

/** Of the interface that begins there: its own methods, and those of a group of them. */
export function methodsOf(text: string, index: number): readonly ApiMethod[] {
  const end = text.indexOf('\n}', index)
  const groups = [...text.slice(index, end).matchAll(/^ {2}readonly (\w+): .*\{$/gm)]
  return [...text.slice(index, end).matchAll(/^( {2}| {4})(\w+)[(<]/gm)].flatMap((match) => {
    const [, indent = '', name = ''] = match
    const group = groups.findLast((each) => each.index < match.index)?.[1]
    if (indent.length > 2 && group === undefined) return []
    const doc = jsDocBefore(text, index + match.index)
    return [{ ...doc, name: indent.length > 2 ? `${group}.${name}` : name }]
  })
}
