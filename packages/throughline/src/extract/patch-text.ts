/** Whether a text is a patch, or holds one, in the forms of diffs and of "apply patch" tools. */

// A patch says in its first lines that it is one; a command leads to it in fewer.
const headCharacters = 4_000

const begins =
  /^\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: \S)|^diff --git \S|^--- \S[^\n]{0,1000}\n\+\+\+ \S/m

/** The patch from where it begins; null where there is none. */
export function patchIn(text: string | null): string | null {
  if (text === null) return null
  const at = text.slice(0, headCharacters).search(begins)
  return at === -1 ? null : text.slice(at)
}
