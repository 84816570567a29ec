/** A text in one line: what somebody else wrote must not look like a line of ours. */
export function lineOfText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed()
}
