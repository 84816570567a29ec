/** The beginning of a text with a sign that more followed; no character is cut in two. */
import { boundaryBefore } from '../../extract/character-boundary.ts'

const sign = ' …'

/** Empty where there is no room for anything but the sign. */
export function cutText(text: string, characters: number): string {
  const most = Math.floor(characters)
  if (text.length <= most) return text
  const end = most - sign.length
  if (end <= 0) return ''
  return `${withoutSign(text.slice(0, boundaryBefore(text, end)))}${sign}`
}

/** What was cut before says so at its end: it is said once. */
export function withoutSign(text: string): string {
  let end = text.length
  while (end > 0 && isOfSign.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

const isOfSign = /[\s…]/
