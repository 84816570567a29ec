/**
 * A word as a shell takes it. What we tell people to type next is copied, and an id comes from
 * somebody's transcript: in double quotes, `$(…)` in it would be run.
 */
import { safeLine } from './safe-text.ts'

export function shellWord(text: string): string {
  // The home of somebody, a comment and an option begin as these do.
  if (/^[\w./][\w.~#/-]*$/.test(text)) return text
  return `'${safeLine(text).replaceAll("'", "'\\''")}'`
}
