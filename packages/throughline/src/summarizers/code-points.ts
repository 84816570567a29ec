/** Lengths in code points, so that no character is cut in two. Linear in what is kept, not in the text. */

export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  for (let taken = 0; taken < most && end < text.length; taken += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

export function codePointsBeyond(text: string, most: number): boolean {
  return firstCodePoints(text, most).length < text.length
}
