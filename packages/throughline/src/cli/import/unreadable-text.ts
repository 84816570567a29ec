/**
 * Why a transcript could not be read, as a person is told of it: the file as it was named, the formats
 * that people have before those of measures, and the option that helps.
 */
import { toolFormats, transcriptFormats } from '../../transcripts/format.ts'

/** Formats that people have conversations in. */
export const commonFormats: readonly string[] = [...toolFormats, 'text', 'throughline']

/** The reader knows it by the name of its conversations, without an ending. */
export function unreadableText(
  message: string,
  { name, label }: { readonly name: string; readonly label: string },
  named = '--format NAME says which it is',
): string {
  const reason = message.startsWith(name) ? message.slice(name.length) : ` ${message}`
  if (reason.startsWith(' is in no format')) {
    const others = transcriptFormats.length - commonFormats.length
    return `${label} is in no format that we know: ${commonFormats.join(', ')}, or one of ${others} that measures have; ${named}`
  }
  return /^, line \d/.test(reason)
    ? `${label}${reason}; --on-broken skip reads on behind it`
    : `${label}${reason}`
}
