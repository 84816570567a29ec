/** A document that people write, with places in it for what code gives. */
const begin = (name: string) => `<!-- made by npm run docs: ${name} -->`
const end = '<!-- end -->'

/** Every output has one place, and every place an output. */
export function filledDocument(text: string, outputs: ReadonlyMap<string, string>): string {
  let filled = text
  for (const [name, output] of outputs) {
    const [before, behind, more] = filled.split(`${begin(name)}\n`)
    const at = behind?.indexOf(end) ?? -1
    if (before === undefined || behind === undefined || more !== undefined || at === -1)
      throw new Error(`there is no one place for "${name}" in the document`)
    filled = `${before}${begin(name)}\n\n${output}\n\n${behind.slice(at)}`
  }
  const places = text.split(begin('').slice(0, -' -->'.length)).length - 1
  if (places !== outputs.size)
    throw new Error('there is a place in the document that nothing fills')
  return filled
}
