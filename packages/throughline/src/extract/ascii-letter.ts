/** Whether a character is a letter of ASCII; others are left to the patterns of Unicode. */
export function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
