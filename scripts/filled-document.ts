/** Fills the marked places of a hand-written document with generated outputs. */
const begin = (name: string) => `<!-- made by npm run docs: ${name} -->`
const end = '<!-- end -->'

/** A marked place with its output. */
export const filledPlace = /<!-- made by npm run docs: [\s\S]*?<!-- end -->/g

/** Every output has one place, and every place an output. */
export function filledDocument(text: string, outputs: ReadonlyMap<string, string>): string {
  let filled = text
  for (const [name, output] of outputs) {
    const [before, after, more] = filled.split(`${begin(name)}\n`)
    const at = after?.indexOf(end) ?? -1
    if (before === undefined || after === undefined || more !== undefined || at === -1)
      throw new Error(`the document must have exactly one place for "${name}"`)
    filled = `${before}${begin(name)}\n\n${output}\n\n${after.slice(at)}`
  }
  const places = text.split(begin('').slice(0, -' -->'.length)).length - 1
  if (places !== outputs.size) throw new Error('the document has a place that no output fills')
  return filled
}
