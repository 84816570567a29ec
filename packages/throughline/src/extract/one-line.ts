export function oneLine(text: string): string {
  if (!lineEnd.test(text)) return text
  return text
    .split(lineEnds)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/
const lineEnds = /[\n\r\v\f\u0085\u2028\u2029]+/
