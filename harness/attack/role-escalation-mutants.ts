/** Ways into the system role that were open once, or nearly. */
import type { Mutant } from '../mutants/mutant.ts'

const tests = ['harness/attack/role-escalation.test.ts']

export const roleEscalationMutants: readonly Mutant[] = [
  {
    name: 'pins have the role of summaries',
    file: 'packages/throughline/src/flow/assemble/assemble.ts',
    find: 'pins: pins.map(pinBlock),',
    replace: 'pins: pins.map((message) => withRole(pinBlock(message), policy)),',
    tests,
  },
  {
    name: 'a summary of documents has the trust of talk',
    file: 'packages/throughline/src/flow/summarize/write-summary.ts',
    find: "parts.every(({ type }) => type === 'text' || type === 'reasoning')",
    replace: "parts.every(({ type }) => type !== 'tool-result')",
    tests,
  },
  {
    name: 'a summary is the system’s word whatever it is of',
    file: 'packages/throughline/src/flow/past/written-past.ts',
    find: "const withoutTools = trust !== 'tool' && !hasRules",
    replace: 'const withoutTools = !hasRules',
    tests,
  },
  {
    name: 'an unknown block is an item of the developer',
    file: 'packages/throughline/src/adapters/openai/responses-write.ts',
    find: "if (block === null || (isOfSystem(block) && role !== 'system')) return null",
    replace: 'if (block === null) return null',
    tests,
  },
  {
    name: 'a note gives an item another role',
    file: 'packages/throughline/src/adapters/openai/responses-write.ts',
    find: "keptFields(wire['item'], ['type', 'call_id', 'role', 'content', ...ours])",
    replace: "keptFields(wire['item'], ['type', 'call_id', ...ours])",
    tests,
  },
  {
    name: 'a document in a system message stays there',
    file: 'packages/throughline/src/flow/assemble/repair.ts',
    find: "return sound.role === 'system' ? withoutDocuments(sound, repairs) : [sound]",
    replace: 'return [sound]',
    tests,
  },
  {
    name: 'the mark of a block does not depend on its text',
    file: 'packages/throughline/src/domain/data-block.ts',
    find: 'const mark = shortHash(text, salt)\n    if (!text.includes(mark)) return mark',
    replace: "const mark = shortHash('mark', salt)\n    if (text !== '') return mark",
    tests,
  },
  {
    name: 'a label can be left by a line end',
    file: 'packages/throughline/src/domain/data-block.ts',
    find: "name.replace(/[\\p{Cc}\\p{Zl}\\p{Zp}[\\]]/gu, ' ').toWellFormed()",
    replace: 'name.toWellFormed()',
    tests,
  },
]
