/** The types that a declaration names where its users see them: not in comments, nor in a body. */

export function declaredNames(text: string, index: number): readonly string[] {
  const visible = visiblePart(text.slice(index))
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/'[^'\n]*'|`[^`\n]*`/g, '')
  return [...new Set(visible.match(/\b[A-Z]\w+\b/g))]
}

function visiblePart(text: string): string {
  const [, word = ''] = /^export (?:async )?(\w+)/.exec(text) ?? []
  if (word === 'interface') return upTo(text, /^\}/m)
  if (word === 'class') return publicLines(upTo(text, /^\}/m))
  if (word === 'type') return upTo(text, /\n\n|\n(?=export |\/\*\*)/)
  // The body of a function, or the value of a constant.
  return word === 'const' ? upTo(text, / =(?!>)/) : upTo(text, / \{$/m)
}

/** Heads of what a class offers; its fields with # are its own. */
function publicLines(text: string): string {
  return text
    .split('\n')
    .filter((line, index) => index === 0 || /^ {2}(?!readonly #|#)\w/.test(line))
    .join('\n')
}

function upTo(text: string, end: RegExp): string {
  const at = text.search(end)
  return at === -1 ? text : text.slice(0, at)
}
