/** Error codes: what each means, what to do, and its HTTP status and exit code. */

interface ErrorRow {
  readonly meaning: string
  readonly whatToDo: string
  readonly retryable: boolean
  readonly httpStatus: number
  readonly exitCode: number
}

/**
 * What each error code means and what to do; `docs/errors.md` is generated from this table.
 *
 * @example
 * if (isThroughlineError(error)) process.exitCode = errorTable[error.code].exitCode
 */
export const errorTable = {
  CONFIG_INVALID: {
    meaning: 'An option is unknown or has an invalid value.',
    whatToDo: 'Correct the option named in the message.',
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
    meaning: 'A tenant or conversation id is empty, too long or has invalid characters.',
    whatToDo: 'Use 1 to 512 characters of well-formed text without control characters.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  MESSAGE_INVALID: {
    meaning: 'A message has an unknown role, an invalid part or a field of the wrong type.',
    whatToDo: 'Correct the field named in the message. The failed call has written nothing.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  MESSAGE_TOO_LARGE: {
    meaning: 'A message is larger than 64 MiB.',
    whatToDo: 'Split the message, or store the bytes elsewhere and append an attachment-ref.',
    retryable: false,
    httpStatus: 413,
    exitCode: 65,
  },
  TURN_INVALID: {
    meaning: 'The turn record that an agent passed after its reply has a field of the wrong type.',
    whatToDo: 'Correct the field named in the message. The turn was not recorded.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  KEY_CONFLICT: {
    meaning: 'This conversation already has a message with the same key and different content.',
    whatToDo: 'Use a new key for a new message. To retry an append, repeat both key and content.',
    retryable: false,
    httpStatus: 422,
    exitCode: 65,
  },
  CONVERSATION_REPLACED: {
    meaning: 'The conversation was purged and created again while it was being read.',
    whatToDo: 'Read it again from the start.',
    retryable: true,
    httpStatus: 409,
    exitCode: 75,
  },
  HISTORY_CHANGED: {
    meaning: 'A prompt does not continue the stored conversation: earlier messages differ.',
    whatToDo: 'Send the earlier messages unchanged, use another conversation id, or allow forks.',
    retryable: false,
    httpStatus: 409,
    exitCode: 65,
  },
  LOG_MOVED: {
    meaning: 'Another writer has appended messages after the expected end of the conversation.',
    whatToDo: 'Read the new messages, then append after them.',
    retryable: true,
    httpStatus: 409,
    exitCode: 75,
  },
  SPAN_INVALID: {
    meaning: 'A span, a position or a limit is not a whole number in its valid range.',
    whatToDo: 'Use whole numbers with 0 <= from <= to.',
    retryable: false,
    httpStatus: 400,
    exitCode: 65,
  },
  SUMMARY_FAILED: {
    meaning:
      'No model returned a summary that passed the checks, and the policy says to fail then.',
    whatToDo:
      'See the receipt or the events for the reasons. To continue without a model, let the policy fall back to rules.',
    retryable: true,
    httpStatus: 502,
    exitCode: 69,
  },
  CONTEXT_OVERFLOW: {
    meaning: 'System prompt, tools and pinned messages alone exceed the token limit of the model.',
    whatToDo:
      'Shorten the largest part named in the message, unpin messages, or use a larger context window.',
    retryable: false,
    httpStatus: 413,
    exitCode: 65,
  },
  REQUEST_INVALID: {
    meaning:
      'The provider would reject this request, or the adapter got a value that is not a request.',
    whatToDo:
      'Correct the field named in the message; often it is the name or the schema of a tool.',
    retryable: false,
    httpStatus: 422,
    exitCode: 65,
  },
  TRANSCRIPT_UNREADABLE: {
    meaning:
      'A transcript has an unknown format, or a broken line while broken lines are not skipped.',
    whatToDo: 'Name the format, or skip broken lines.',
    retryable: false,
    httpStatus: 422,
    exitCode: 65,
  },
  TOKENIZER_MISSING: {
    meaning: 'The exact tokenizer is set, but its package is not installed.',
    whatToDo: 'Run `npm install gpt-tokenizer`, or set the tokenizer to auto.',
    retryable: false,
    httpStatus: 500,
    exitCode: 69,
  },
  PACKAGE_MISSING: {
    meaning: 'A command needs an optional package that is not installed.',
    whatToDo: 'Run the npm install of the message.',
    retryable: false,
    httpStatus: 500,
    exitCode: 69,
  },
  PORT_IN_USE: {
    meaning: 'Another program listens on the port that the server should use.',
    whatToDo: 'Stop that program, or choose another port, such as --port 8788.',
    retryable: false,
    httpStatus: 500,
    exitCode: 69,
  },
  FOLDER_IN_USE: {
    meaning: 'Another server has the folder open.',
    whatToDo: 'Stop that server, or choose another folder with --folder.',
    retryable: false,
    httpStatus: 500,
    exitCode: 75,
  },
  SERVER_REFUSED: {
    meaning: 'A server refused the request of a client; `details` has its code and HTTP status.',
    whatToDo: 'Correct what the message names: the key, its role, the id or the input.',
    retryable: false,
    httpStatus: 502,
    exitCode: 69,
  },
  SERVER_UNREACHABLE: {
    meaning: 'A server did not answer a client, or is overloaded or stopping.',
    whatToDo:
      'Check the URL and the server, then try again. A repeated write has no second effect.',
    retryable: true,
    httpStatus: 503,
    exitCode: 69,
  },
  STORE_BUSY: {
    meaning:
      'Another process kept the database locked longer than the busy timeout, or has the JSON file open.',
    whatToDo: 'Try again, or raise busyTimeoutMs. Only one process at a time may open a JSON file.',
    retryable: true,
    httpStatus: 503,
    exitCode: 75,
  },
  STORE_UNREACHABLE: {
    meaning: 'A database server did not answer, or ended the connection.',
    whatToDo:
      'Check the URL and the server, then try again. Repeating the call with the same key adds nothing twice.',
    retryable: true,
    httpStatus: 503,
    exitCode: 69,
  },
  STORE_FULL: {
    meaning: 'The disk or the database is full.',
    whatToDo: 'Free some space and try again with the same key.',
    retryable: true,
    httpStatus: 507,
    exitCode: 74,
  },
  STORE_CORRUPT: {
    meaning:
      'The file is not a valid SQLite database, or a JSON file that does not match its hash.',
    whatToDo: 'Restore a backup or use another file. This file was not changed.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_NEWER: {
    meaning: 'A newer version of throughline has written this database.',
    whatToDo: 'Update throughline. The file was not changed.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_OLDER: {
    meaning:
      'An older version of throughline has written this database, and this version cannot read it.',
    whatToDo:
      'Export the conversations with the old version and import them into a new file. This file was not changed.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_FOREIGN: {
    meaning: 'The file is the SQLite database or JSON file of another program.',
    whatToDo: 'Use another file. This file was not changed.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_NOT_OWNED: {
    meaning:
      'The database, a file next to it or its folder belongs to another user, or other users can write it.',
    whatToDo:
      'Make it yours (chown, chmod go-w). To use it anyway, name it with --store or THROUGHLINE_STORE.',
    retryable: false,
    httpStatus: 500,
    exitCode: 77,
  },
  STORE_READ_ONLY: {
    meaning: 'The database or its folder is read-only.',
    whatToDo: 'Copy the database, with the -wal and -shm files next to it, to a writable folder.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  STORE_CLOSED: {
    meaning: 'The store is closed.',
    whatToDo: 'Open a new store, and call close() after the last call.',
    retryable: false,
    httpStatus: 503,
    exitCode: 70,
  },
  STORE_FAILED: {
    meaning: 'The database rejected a statement for a reason that has no error code of its own.',
    whatToDo:
      'See the cause of the error. Repeating the call with the same key adds nothing twice.',
    retryable: false,
    httpStatus: 500,
    exitCode: 74,
  },
  INVARIANT_BROKEN: {
    meaning: 'An internal invariant is broken: a bug, or another program changed the file.',
    whatToDo: 'Report this message as a bug. The operation was rejected.',
    retryable: false,
    httpStatus: 500,
    exitCode: 70,
  },
} as const satisfies Record<string, ErrorRow>

/** Those of the table. A web page that catches errors need not load the texts. */
export const retryableCodes: readonly string[] = [
  ...['CONVERSATION_REPLACED', 'LOG_MOVED', 'SUMMARY_FAILED', 'SERVER_UNREACHABLE'],
  ...['STORE_BUSY', 'STORE_UNREACHABLE', 'STORE_FULL'],
]
