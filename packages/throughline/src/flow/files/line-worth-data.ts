/** Strengths, patterns and limits for the worth of lines. */

/** The strength of each reason, as the logarithm of its factor; coarse values on purpose. */
export const strengths = {
  asked: 2,
  mentioned: 0.5,
  searched: 2,
  replaced: 1,
  located: 1,
  /** Located in a file that has not been edited yet: added to `located`. */
  locatedUnedited: 2,
  edited: 1.5,
  read: 1.5,
  imports: 1.2,
} as const

/** How much of a line's worth spreads to the next line. */
export const spreadShares = { line: 0.9, empty: 0.7, declaration: 0.4 } as const

export const patterns = {
  /** Lines that could imitate our own labels; they are never shown. */
  looksLikeOurLabel:
    /^\S.{0,300} #\d{1,15}$|^#\d{1,15}(?: assistant)?:|^\[(?:end|earlier|digest|summary|ledger|excerpts) |^(?:Decided|Open failures):/,
  /** Imports in many languages, or a line in a list of modules. */
  importLine:
    /^\s{0,8}(?:import|from|use|using|#include|require|export \S.{0,200} from)\b|^\s{0,8}(?:[\w.]{1,40} )?["'][\w@./-]{1,200}["'],?$/,
  /** With an inner capital, a digit or an underscore: a name in code, not a plain word. */
  identifier: /\p{Ll}\p{Lu}|[_$\p{N}]|\p{Lu}{2}\p{Ll}/u,
  names: /[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu,
  /** Any run that could be a path; matches each run once, so the time is linear. */
  pathRuns: /[\p{L}\p{N}_@./~+-]+/gu,
  finalPunctuation: /[.+-]+$/,
  fileExtension: /\.[A-Za-z]\w{0,9}$/,
  /** `line 12`, `lines 12-14`, `:12` or `L12-L14`. */
  lineNumbers: /(?:\blines?\s{1,2}~?|:|\bL)(\d{1,6})(?:\s?[-–]\s?L?(\d{1,6}))?/gi,
  /** A line number after a file name, as compilers and test runners write it. */
  lineAfterPath: /:(\d{1,6})(?!\w)/g,
} as const

export const limits = {
  recencyHalvingMessages: 20,
  plainWordFactor: 0.35,
  maxMessages: 400,
  maxTurns: 6,
  signalHalvingMessages: 15,
  pathCharacters: 200,
  textCharacters: 40_000,
  maxLocationsOfFile: 100,
  // An output with more line numbers is not a list of errors.
  maxLocationsOfText: 500,
  maxLinesOfLocation: 400,
  maxFilesOfPath: 8,
  maxPathsOfLine: 20,
} as const
