/** Parses the elements of a page; throws if a tag is not closed properly. */
export interface PageElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const closedAlone = new Set(['meta', '!doctype'])

export function elementsOf(page: string): readonly PageElement[] {
  const found: PageElement[] = []
  const open: string[] = []
  const bare = page.replace(/<style>[^<]*<\/style>/g, '')
  for (const [tag, closes, name = '', inner = '', alone] of bare.matchAll(tags)) {
    if (name === '') throw new Error(`no tag: ${tag}`)
    if (closes) {
      const last = open.pop()
      if (last !== name) throw new Error(`</${name}> where <${last}> is open`)
      continue
    }
    found.push({ name, attributes: attributesOf(inner) })
    if (!alone && !closedAlone.has(name)) open.push(name)
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`)
  return found
}

// Text is escaped, so every "<" must start a tag.
const tags = /<(\/)?(?:([!a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*)\s*(\/)?>)?/g

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}
