/**
 * Whether a draft is a form that nobody has filled in: headings with nothing below them, or
 * with words that say so. Models give that back where they have not understood the task.
 */
export function isSkeleton(text: string): boolean {
  return text.split('\n').every((line) => {
    const said = line.replace(/^[\s>]*(?:[-*+•]|\d{1,3}[.)])?\s*(?:\[[ xX]\])?/, '')
    return heading.test(line) || nothing.test(said) || label.test(said)
  })
}

const heading = /^\s{0,3}(?:#{1,6}(?:\s|$)|[-=*_]{3,}\s*$|\*\*[^*]{1,80}\*\*:?\s*$)/
const no =
  '(?:none|n\\/?a|nil|null|nothing|unknown|empty|tbd|todo|not (?:applicable|specified|provided|available|mentioned)|no (?:summary|content|messages|context|conversation|information|data)(?: (?:available|provided|given|yet|found))?|keine?|nichts|aucune?|rien|ninguno|nada|nessuno|无|なし|없음|\\.{3}|…|-)'
const nothing = new RegExp(
  `^(?:\\*\\*[^*]{1,80}\\*\\*:?|[\\p{L} ]{1,40}:)?\\s{0,9}[([<"*_]{0,3}${no}?[)\\]>"*_.!]{0,4}\\s*$`,
  'iu',
)
const label = /^(?:\*\*)?[\p{L}\p{N} /&-]{1,60}:(?:\*\*)?\s*$/u
