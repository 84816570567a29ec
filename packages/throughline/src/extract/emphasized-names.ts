/** Finds names in bold and list items that are only a name. Stops early: a long list is data. */
const maxNames = 10
const textCharacters = 100_000

export function emphasizedNamesOf(text: string): readonly string[] {
  const names = new Set<string>()
  let isCode = false
  for (const line of text.slice(0, textCharacters).split('\n')) {
    if (/^\s{0,20}(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode || line.length > lineCharacters) continue
    const item = /^\s{0,20}[-*+•] (?!\*\*)(.{2,80})$/.exec(line)?.[1]?.trim()
    if (item !== undefined && isName(item)) names.add(item)
    for (const name of boldIn(line)) names.add(name)
    if (names.size >= maxNames) break
  }
  return [...names].slice(0, maxNames).map((name) => name.toWellFormed())
}

function boldIn(line: string): readonly string[] {
  return Array.from(line.matchAll(/\*\*([^*\n]{2,80})\*\*/g), ([, bold = '']) =>
    bold.trim().replace(/:$/, ''),
  ).filter(isName)
}

const lineCharacters = 2_000
const nameWords = 5

function isName(text: string): boolean {
  return (
    /^[\p{Lu}\p{Lo}\d]/u.test(text) &&
    !/[.!?:;,。！？]/.test(text) &&
    text.split(/\s+/).length <= nameWords
  )
}
