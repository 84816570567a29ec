/**
 * Whether a draft ends before it is finished. Providers say so mostly; where a stream just
 * stops, the end of the text tells: a sentence without its mark where all others have one, a
 * block that is not closed, a word that asks for another.
 */
export function isCutOff(text: string): boolean {
  const plain = text.trimEnd()
  if (plain === '') return false
  if (((plain.match(/^\s{0,3}(?:```|~~~)/gm)?.length ?? 0) & 1) === 1) return true
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const last = lines.at(-1) ?? ''
  if (dangling.test(last) || hasOpenSpan(last)) return true
  if (isEnded(last) || isHeading(last)) return false
  const isItem = itemMark.test(last)
  const peers = lines
    .slice(0, -1)
    .filter(
      (line) => itemMark.test(line) === isItem && !isHeading(line) && line.length >= shortLine,
    )
  if (peers.length >= (isItem ? fewItems : 1))
    return peers.filter(isEnded).length / peers.length >= mostEnded
  return (
    !isItem &&
    last.length >= shortLine &&
    /[.!?。！？](?:["')\]*_”’]{0,3}\s|(?<=[。！？]))\S/.test(last)
  )
}

const shortLine = 20
const fewItems = 2
const mostEnded = 0.8
const itemMark = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)]) /

function isEnded(line: string): boolean {
  return /[.!?:;。！？।؟…|>`)\]}][\s"')\]*_”’`|]{0,4}$/.test(line)
}

function isHeading(line: string): boolean {
  return /^\s{0,3}(?:#{1,6} |\||---|===)|^\s{0,20}\*\*[^*]{1,120}\*\*:?$/.test(line)
}

/** A backtick or a bracket that opens and does not close. */
function hasOpenSpan(line: string): boolean {
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) return true
  const end = line.slice(-spanCharacters)
  return /[([{][^)\]}]{0,300}$/.test(end) && !/[:;=]-?\($/.test(end) && !/[.!?]$/.test(end)
}

const spanCharacters = 400

const dangling =
  /(?:[,([{“„–—=+&]|[\s](?:and|or|but|the|an|of|to|for|with|by|from|that|which|is|are|was|were|und|oder|aber|der|die|das|den|dem|ein|eine|mit|von|zu|für|et|ou|mais|le|la|les|un|une|de|du|des|avec|pour|pero|el|los|las|con|para|que|com|и|или|но|в|на|с|для))$/
