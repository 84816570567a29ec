/** The codes of errors: what each means, what to do, and how the doors report it. */

interface ErrorRow {
  readonly meaning: string
  readonly whatToDo: string
  readonly retryable: boolean
  readonly httpStatus: number
  readonly exitCode: number
}

/**
 * What each code means, what to do, and how doors report it; `docs/errors.md` is made from it.
 *
 * @example
 * if (isThroughlineError(error)) process.exitCode = errorTable[error.code].exitCode
 */
export const errorTable = {
  CONFIG_INVALID: {
    meaning: 'An option has a value that it cannot have, or there is no such option.',
    whatToDo: 'Correct the option that the message names.',
    retryable: false,
    httpStatus: 500,
    exitCode: 78,
  },
  MODEL_UNKNOWN: {
    meaning: 'strictModels is set, and the catalogue does not know the model of the request.',
    whatToDo: 'Correct the name, or set its window: models: [{ id, contextWindowTokens }].',
    retryable: false,
    httpStatus: 400,
    exitCode: 78,
  },
  ID_INVALID: {
    meaning: 'A tenant or conversation id is empty, too long, or holds characters it cannot hold.',
    whatToDo: 'Use 1 to 512 characters of well-formed text without control characters.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  MESSAGE_INVALID: {
    meaning: 'A message has an unknown role, a broken part, or a field of the wrong type.',
    whatToDo: 'Correct the field that the message names; the call that failed has written nothing.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  MESSAGE_TOO_LARGE: {
    meaning: 'A message is larger than 64 MiB.',
    whatToDo: 'Split it, or keep the bytes elsewhere and append an attachment-ref.',
    retryable: false,
    httpStatus: 413,
    exitCode: 65,
  },
  TURN_INVALID: {
    meaning: 'What an agent handed over behind a reply has a field of the wrong type.',
    whatToDo: 'Correct the field that the message names; nothing was remembered.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  KEY_CONFLICT: {
    meaning: 'The key was used before in this conversation, with other content.',
    whatToDo: 'Use a new key for a new message; retry with the same key and the same content.',
    retryable: false,
    httpStatus: 422,
    exitCode: 65,
  },
  CONVERSATION_REPLACED: {
    meaning: 'The conversation was purged and begun anew while it was read.',
    whatToDo: 'Read it again from the beginning.',
    retryable: true,
    httpStatus: 409,
    exitCode: 75,
  },
  HISTORY_CHANGED: {
    meaning: 'A prompt does not go on from the conversation that it was said to belong to.',
    whatToDo: 'Send the history as it was, name another conversation, or allow forks.',
    retryable: false,
    httpStatus: 409,
    exitCode: 65,
  },
  LOG_MOVED: {
    meaning: 'Somebody has appended to the conversation since the end that was named.',
    whatToDo: 'Look at what came, and append behind it.',
    retryable: true,
    httpStatus: 409,
    exitCode: 75,
  },
  SPAN_INVALID: {
    meaning: 'A span, a place or a limit is not a whole number in its range.',
    whatToDo: 'Use whole numbers with 0 <= from <= to.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  SUMMARY_FAILED: {
    meaning: 'No model brought a summary that can be trusted, and the policy says to stop there.',
    whatToDo: 'Look at the receipt or the events for what the models said, or let rules stand in.',
    retryable: true,
    httpStatus: 502,
    exitCode: 69,
  },
  CONTEXT_OVERFLOW: {
    meaning: 'System prompt, tools and pins alone are larger than the model can take.',
    whatToDo: 'Shorten the largest part that the message names, unpin, or use a larger window.',
    retryable: false,
    httpStatus: 413,
    exitCode: 65,
  },
  REQUEST_INVALID: {
    meaning:
      'A request breaks a rule of the provider that it is meant for, or what an adapter was handed is none.',
    whatToDo: 'Correct what the message names: mostly the name or the schema of a tool.',
    retryable: false,
    httpStatus: 422,
    exitCode: 65,
  },
  TRANSCRIPT_UNREADABLE: {
    meaning: 'A transcript is in no format that we know, or broken where it was not to be skipped.',
    whatToDo: 'Name the format, or read on with broken lines skipped.',
    retryable: false,
    httpStatus: 422,
    exitCode: 65,
  },
  TOKENIZER_MISSING: {
    meaning: 'An exact tokenizer was asked for and its package is not installed.',
    whatToDo: 'npm install gpt-tokenizer, or leave the choice of tokenizer to us.',
    retryable: false,
    httpStatus: 500,
    exitCode: 69,
  },
  STORE_BUSY: {
    meaning: 'Another process held the database longer than the busy timeout.',
    whatToDo: 'Try again, or raise busyTimeoutMs.',
    retryable: true,
    httpStatus: 503,
    exitCode: 75,
  },
  STORE_FULL: {
    meaning: 'The disk or the database is full.',
    whatToDo: 'Make room and try again, with the same key.',
    retryable: true,
    httpStatus: 507,
    exitCode: 74,
  },
  STORE_CORRUPT: {
    meaning: 'The file is not a sound SQLite database.',
    whatToDo: 'Restore a backup, or name another file; this one was left as it is.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_NEWER: {
    meaning: 'The database was written by a newer version than this one.',
    whatToDo: 'Update throughline; the file was left as it is.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_OLDER: {
    meaning: 'The database was written by an older version, and this one does not read it.',
    whatToDo:
      'Export its conversations with that version, and import them into a new file with this one; the file was left as it is.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_FOREIGN: {
    meaning: 'The file is a SQLite database of another program.',
    whatToDo: 'Name another file; this one was left as it is.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_NOT_OWNED: {
    meaning:
      'The database, a file beside it or its folder belongs to another user, or others can write it.',
    whatToDo:
      'Make it yours alone (chown, chmod go-w), or name it with --store or THROUGHLINE_STORE to use it all the same.',
    retryable: false,
    httpStatus: 500,
    exitCode: 77,
  },
  STORE_READ_ONLY: {
    meaning: 'The database, or the folder that it is in, cannot be written.',
    whatToDo: 'Copy it, with the files beside it that begin with its name, to where you may write.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_CLOSED: {
    meaning: 'The store was closed before the call.',
    whatToDo: 'Open a new store; call close() last.',
    retryable: false,
    httpStatus: 503,
    exitCode: 70,
  },
  STORE_FAILED: {
    meaning: 'The database refused a statement for a reason without a code of its own.',
    whatToDo: 'Look at the cause; done again with the same key, the command adds nothing twice.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  INVARIANT_BROKEN: {
    meaning: 'A promise of the engine does not hold: a bug, or a file changed from outside.',
    whatToDo: 'Report it with the message; the operation was refused.',
    retryable: false,
    httpStatus: 500,
    exitCode: 70,
  },
} as const satisfies Record<string, ErrorRow>
