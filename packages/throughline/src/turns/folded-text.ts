/** Text as names are compared: whatever the case, the width and the spelling of an accent. */
export function foldedText(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase()
  // There and back again: some letters are told apart in one case only (ß and ẞ, σ and ς).
  return readable(text)
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

// ASCII, as most names are.
const isPlain = /^[\x00-\x7f]*$/

/** No language puts more marks on a letter, and to sort them takes the square of their number. */
function readable(text: string): string {
  return text.replace(heaped, '$1')
}

// The last two become marks when they are normalized.
const heaped = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu
