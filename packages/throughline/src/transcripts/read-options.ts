/** What the caller hands in, checked once: a misspelt option is refused rather than ignored. */
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import { type TranscriptFormat, transcriptFormats } from './format-signs.ts'

/** The options of `readTranscript`. */
export interface ReadTranscriptOptions {
  /** Found in the text if you do not name it. */
  readonly format?: TranscriptFormat | undefined
  /** What a broken line or record does: becomes a `problem` item, or ends the reading. */
  readonly onBroken?: 'skip' | 'abort' | undefined
  /** What the source is called: part of messages, and the id of a conversation without one. */
  readonly name?: string | undefined
}

interface OptionCheck {
  readonly accepts: string
  readonly test: (value: unknown) => boolean
}

const checks: Readonly<Record<keyof ReadTranscriptOptions, OptionCheck>> = {
  format: oneOf(transcriptFormats),
  onBroken: oneOf(['skip', 'abort']),
  name: { accepts: 'text', test: (value) => typeof value === 'string' },
}

function oneOf(values: readonly string[]): OptionCheck {
  return {
    accepts: `one of ${values.join(', ')}`,
    test: (value) => values.some((accepted) => accepted === value),
  }
}

export function readOptions(options: unknown): ReadTranscriptOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalidArgument(`readTranscript takes an object of options, got ${describe(options)}`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw invalidArgument(
        `readTranscript has no option "${name}"; it takes ${Object.keys(checks).join(', ')}`,
      )
    const { accepts, test } = checks[name as keyof ReadTranscriptOptions]
    if (value !== undefined && !test(value))
      throw invalidArgument(`option "${name}" must be ${accepts}, got ${describe(value)}`)
  }
  // Every field was checked above.
  return options as ReadTranscriptOptions
}

export function invalidArgument(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', message)
}
