/** The beginning of a text with a sign that more followed; a code point is never cut. */
const sign = ' …'

/** Empty where there is no room for anything but the sign. */
export function cutText(text: string, characters: number): string {
  const most = Math.floor(characters)
  if (text.length <= most) return text
  const end = most - sign.length
  if (end <= 0) return ''
  const splitsPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
  return `${text.slice(0, splitsPair ? end - 1 : end)}${sign}`
}
