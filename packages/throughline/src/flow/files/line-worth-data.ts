/** Strengths, patterns and limits for the worth of lines. */

/** The strength of each reason, as the logarithm of its factor; coarse values on purpose. */
export const strength = {
  asked: 2,
  mentioned: 0.5,
  searched: 2,
  replaced: 1,
  placed: 1,
  placedAhead: 2,
  edited: 1.5,
  read: 1.5,
  imports: 1.5,
} as const

/** How much of a line's worth spreads to the next line. */
export const carries = { line: 0.9, empty: 0.7, declaration: 0.4 } as const

export const patterns = {
  /** Lines that could imitate our own labels; they are never shown. */
  looksLikeOurs:
    /^\S.{0,300} #\d{1,15}$|^#\d{1,15}(?: assistant)?:|^\[(?:end|earlier|digest|summary|ledger|excerpts) |^(?:Decided|Open failures):/,
  /** Imports in many languages, or a line in a list of modules. */
  importing:
    /^\s{0,8}(?:import|from|use|using|#include|require|export \S.{0,200} from)\b|^\s{0,8}(?:[\w.]{1,40} )?["'][\w@./-]{1,200}["'],?$/,
  madeUp: /\p{Ll}\p{Lu}|[_$\p{N}]|\p{Lu}{2}\p{Ll}/u,
  nameIn: /[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu,
  /** Any run that could be a path; matches each run once, so the time is linear. */
  runIn: /[\p{L}\p{N}_@./~+-]+/gu,
  nameEnd: /[.+-]+$/,
  ending: /\.[A-Za-z]\w{0,9}$/,
  placeIn: /(?:\blines?\s{1,2}~?|:|\bL)(\d{1,6})(?:\s?[-–]\s?L?(\d{1,6}))?/gi,
  /** A line number after a file name, as compilers and test runners write it. */
  lineAfter: /:(\d{1,6})(?!\w)/g,
} as const

export const limits = {
  halvingMessages: 20,
  plainShare: 0.35,
  mostMessages: 400,
  mostTurns: 6,
  lateMessages: 15,
  pathCharacters: 200,
  textCharacters: 40_000,
  mostPlaces: 100,
  // An output with more line numbers is not a list of errors.
  mostLocated: 500,
  mostLines: 400,
  mostOfOneName: 8,
  mostOfOneLine: 20,
} as const
