/**
 * What a failure says in full: from the line that tells of it to the next empty line, which is
 * where compilers and runtimes end what they have to say.
 */
const blockCharacters = 400
const headShare = 0.6
const sign = ' … '

/** In a long one the first lines say what failed, and the last ones where and why. */
export function errorBlockIn(text: string, errorLine: string): string {
  const at = text.indexOf(errorLine)
  if (at === -1) return cut(errorLine)
  const rest = text.slice(at)
  const end = emptyLine.exec(rest)?.index ?? rest.length
  return cut(rest.slice(0, end).trim())
}

const emptyLine = /\n[ \t\r]{0,100}\n/

function cut(block: string): string {
  if (block.length <= blockCharacters) return block.toWellFormed()
  const head = Math.floor(blockCharacters * headShare)
  const tail = blockCharacters - head - sign.length
  return `${block.slice(0, head).trimEnd()}${sign}${block.slice(-tail).trimStart()}`.toWellFormed()
}
