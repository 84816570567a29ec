/**
 * Agents without tools write their command into a fenced block at the end of what they say.
 * What it printed comes as the next message of the user, with its exit code in a tag.
 */
const blockCharacters = 20_000

/** The command that a reply ends with; null where it ends with something else, or has several. */
export function fencedCommandIn(text: string): string | null {
  const end = text.slice(-blockCharacters).trimEnd()
  if (!end.endsWith('\n```')) return null
  const body = end.slice(0, -4)
  const at = body.lastIndexOf('```')
  const [, command] =
    /^```(?:bash|sh|shell|mswea_bash_command)[ \t\r]{0,9}\n([\s\S]*)$/.exec(body.slice(at)) ?? []
  if (at === -1 || command === undefined || command.trim() === '') return null
  return body.lastIndexOf('```bash', at - 1) === -1 ? command.trim() : null
}
