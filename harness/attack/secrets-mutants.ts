/** Boundaries without their redaction, and rules that are missing. */
import type { Mutant } from '../mutants/mutant.ts'

const tests = ['harness/attack/secrets.test.ts']

export const secretsMutants: readonly Mutant[] = [
  {
    name: 'arguments of calls are not redacted',
    file: 'packages/throughline/src/flow/redact/redacted-message.ts',
    find: 'json: (json) => redactedJson(json, redact),',
    replace: 'json: (json) => json,',
    tests,
  },
  {
    name: 'excerpts are not redacted',
    file: 'packages/throughline/src/flow/text/map-strings.ts',
    find: "title: 'title', text: 'text' }",
    replace: "title: 'title', text: 'id' }",
    tests,
  },
  {
    name: 'what a compaction left is kept with its secrets',
    file: 'packages/throughline/src/flow/receipt/receipt.ts',
    find: "const { text } = redactSecrets(texts.join('\\n'))",
    replace: "const { text } = { text: redactSecrets('').text + texts.join('\\n') }",
    tests,
  },
  {
    name: 'options of commands are not looked at',
    file: 'packages/throughline/src/extract/redact-secrets.ts',
    find: 'finders: [findCommandPasswords]',
    replace: 'finders: findCommandPasswords === null ? [findCommandPasswords] : []',
    tests,
  },
  {
    name: 'passwords that people choose stay',
    file: 'packages/throughline/src/extract/secrets/find-assignments.ts',
    find: 'if (!hasDigit && !hasMark) return false',
    replace: 'if (!hasMark) return false',
    tests,
  },
  {
    name: 'every word after a name is a password',
    file: 'packages/throughline/src/extract/secrets/find-assignments.ts',
    find: 'if (!isLikely || /\\s/.test(sample) || isPlaceholder(sample)) return false',
    replace: "if (isLikely || kind === 'password') return true\n  return false",
    tests,
  },
]
