/** Patterns that recognize in tool output how a call ended. */

/** A line that only repeats the exit code, which is read separately. */
export const repeatsExitCode: RegExp =
  /^\W{0,3}(?:Error: )?(?:Command |Process )?(?:exit(?:ed)?|failed)(?: with)?(?: exit)? ?(?:code|status)[:= ]/i

/** Every line that reports a failure contains one of these words. */
export const failureWords: RegExp =
  /\b(?:errors?|exceptions?|failed|failures?|fatal|panic(?:ked)?|cannot|can't|could not|unable to|traceback|denied|not found|no such|invalid|refused|timed out|killed|aborted|rejected|does not exist|critical|is a directory|not a directory|fail|err|tool_use_error)\b|[a-z](?:Error|Exception)\b|\*{3} /i

/** Lines in the form of a failure report. */
export const failureForms: readonly RegExp[] = [
  // `Error: …`, `error[E0382]: …`, `fatal: …`, `panic: …`, also after a mark of a runner.
  /^[\s>*✖✗×❌⨯!•|E-]{0,9}(?:\[?(?:uncaught |unhandled |internal |fatal |syntax |runtime |compile |build )?(?:error|fatal|panic|exception|failure|failed)\]?)(?::|!|\[|\(| TS\d| [A-Z]{1,5}\d{2,5}\b)/i,
  /^\W{0,9}(?:Failed to|Unable to|Could not|Cannot|Can't) \S/i,
  /^Traceback \(most recent call last\)/,
  // `TypeError: …`, also after the place or the thread where it was thrown.
  /^(?:\S{1,120}: |Uncaught |Caused by: |Exception in thread \S{1,60} |E {1,8})?(?:[\w.$]{1,120}\.)?[A-Z]\w{0,60}(?:Error|Exception)(?::|$)/,
  // `src/a.ts:3:1: error: …`, `src/a.ts(3,1): error TS2304: …`, `src/a.ts:3:1 - error …`
  /^\S{1,200}(?::\d{1,7}|\(\d{1,7},\d{1,7}\))(?::| -)? {0,2}(?:fatal )?error\b/i,
  /^(?:npm (?:ERR!|error)|error Command failed|make(?:\[\d\])?: \*\*\*|FAILED? \S{1,200}[./:]|thread '[^']{1,60}' panicked)/,
  // A program complains about a file or about itself.
  /^[\w./-]{1,120}: [^\n]{0,150}(?:No such file or directory|command not found|Permission denied|not found$|cannot \w|Is a directory|Not a directory)/,
  // A log level at its usual position.
  /^(?:\S{1,40} ){0,3}\[?(?:ERROR|FATAL|CRITICAL)\]?(?::| )\s?\S/,
  /^\s{0,20}\{?\s{0,20}"(?:error|errors|exception)"\s?:\s?(?:"[^"]|\{\s{0,9}"|\[\s{0,9}["{])/,
  /^\s{0,20}\{?\s{0,20}"(?:status|type|result)"\s?:\s?"(?:error|failed|failure)"/,
  /^<(?:error|tool_use_error)>/,
]

/** "0 errors", "error: null" and "Error: (none)" report no failure. */
export const noFailure: RegExp =
  /\b(?:0|no|zero|without(?: any)?)\s{1,4}(?:[a-z]{1,20}\s{1,4})?(?:errors?|exceptions?|failures?|failed)\b|\b(?:errors?|exceptions?|failures?|failed|stderr)["']?\s{0,9}[:=]\s{0,9}(?:0\b|null\b|nil\b|none\b|false\b|undefined\b|\(none\)|\(empty\)|""|''|\[\]|\{\})|\berror[- ]free\b/gi

/** The line in which a client reports the exit code. */
export const exitLine: RegExp =
  /^[[(]?(?:Error: |✗ |✓ )?(?:(?:The )?(?:command|process|script|program|shell|task)\b[^\n]{0,80}?\b)?(?:(?:failed|finished|completed|exited|terminated|ended)(?: with)? )?(?:non-zero )?(?:exit(?:ed)?(?: with)?[ _-]?(?:code|status)|exitcode|return ?code|exited with|code|status)(?: of| was| is)?[:= ]{1,3}(-?\d{1,10})\b[^\n]{0,40}$/i
export const mentionsExit: RegExp =
  /\b(?:exit|return)|\b(?:exited|failed|finished|completed|terminated) with\b/i

/** `cat: a.ts: No such file or directory`. Other output of such a command is content. */
export const programFailure: RegExp =
  /^\s*[\w./-]{1,100}: (?:[^\n]{0,200}: )?(?:no such file|permission denied|cannot |command not found|is a directory|invalid )|^fatal: /i
export const toolFailure: RegExp =
  /^\s*(?:<(?:error|tool_use_error)>|\{?\s*"?error"?:(?!\s*null)|(?:error|failed|unable|cannot|could not)\b|(?:file|path|directory) (?:\S{1,200} )?(?:not found|does not exist))/i
