/** How test runners print their totals, as patterns. */

/** Totals in one line. */
export interface TotalsLine {
  readonly line: RegExp
  /** Tests that passed … */
  readonly passed?: RegExp
  /** … or all tests, minus failed and skipped ones. */
  readonly ran?: RegExp
  readonly failed: readonly RegExp[]
  readonly skipped?: RegExp
}

const passed = /(\d{1,7}) passed/
const failed = /(\d{1,7}) failed/

export const totalsLines = {
  vitest: { line: /^[ \t]{0,20}Tests {1,10}\d[^\n]{0,200}\(\d{1,7}\)/gm, passed, failed: [failed] },
  jest: { line: /^Tests: {1,12}\d[^\n]{0,200}\btotal\b/gm, passed, failed: [failed] },
  /** One line for each test binary. */
  cargo: { line: /^test result: [^\n]{0,200}/gm, passed, failed: [failed] },
  maven: {
    line: /\bTests run: {0,4}\d{1,7}, {0,4}Failures[^\n]{0,200}/g,
    ran: /Tests run[:=] {0,9}(\d{1,7})/,
    failed: [/Failures[:=] {0,9}(\d{1,7})/, /Errors[:=] {0,9}(\d{1,7})/],
    skipped: /Skipped[:=] {0,9}(\d{1,7})/,
  },
  /** `=== 2 failed, 10 passed, 1 error in 0.12s ===`, with the bars or without. */
  pytest: {
    line: /^=* ?\d{1,7} (?:passed|failed|errors?|skipped|deselected)\b[^\n]{0,200} in [\d.]{1,12}s/gm,
    passed,
    failed: [failed, /(\d{1,7}) error/],
  },
  rspec: {
    line: /^\d{1,7} examples?, \d{1,7} failures?/gm,
    ran: /(\d{1,7}) example/,
    failed: [/(\d{1,7}) failure/],
  },
  dotnet: {
    line: /\bFailed: {1,9}\d{1,7}, Passed: {1,9}\d{1,7}/g,
    passed: /Passed[:=] {0,9}(\d{1,7})/,
    failed: [/Failed[:=] {0,9}(\d{1,7})/],
  },
  /** An earlier line has the number of tests. */
  unittest: {
    line: /^(?:FAILED|OK)(?: \([^\n)]{1,200}\))?/gm,
    failed: [/failures[:=] {0,9}(\d{1,7})/, /errors[:=] {0,9}(\d{1,7})/],
    skipped: /skipped[:=] {0,9}(\d{1,7})/,
  },
} as const satisfies Readonly<Record<string, TotalsLine>>

/** Each total in a line of its own; one may be missing. */
export interface TotalsPair {
  readonly passed: RegExp
  readonly failed: RegExp
}

export const totalsPairs = {
  nodeTest: { passed: /^(?:#|ℹ) pass (\d{1,7})/gm, failed: /^(?:#|ℹ) fail (\d{1,7})/gm },
  mocha: {
    passed: /^[ \t]{0,9}(?:✔ )?\d{1,7} (?:passing|passed)\b(?: \([^\n)]{1,20}\))?[ \t\r]{0,9}$/gm,
    failed: /^[ \t]{0,9}(?:✖ )?\d{1,7} (?:failing|failed)[ \t\r]{0,9}$/gm,
  },
  bun: { passed: /^ {0,4}\d{1,7} pass[ \r]{0,4}$/gm, failed: /^ {0,4}\d{1,7} fail[ \r]{0,4}$/gm },
} as const satisfies Readonly<Record<string, TotalsPair>>
