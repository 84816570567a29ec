/** Mutants of the turn memory. */
import type { MutantGroup } from './mutant.ts'

export const turnsMutants: readonly MutantGroup[] = [
  {
    file: 'packages/throughline/src/domain/turn-rules-data.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts', 'harness/turns/figures.test.ts'],
    changes: [
      [
        'S0-024 S0-063: an answer of 400 characters gets a digest',
        'responseCharacters: 400',
        'responseCharacters: 399',
      ],
      [
        'S0-024 S0-063: an answer of 401 characters gets no digest',
        'responseCharacters: 400',
        'responseCharacters: 401',
      ],
      ['S0-064: fewer turns in full', 'fullTurns: 3', 'fullTurns: 2'],
      ['S0-064: more turns in full', 'fullTurns: 3', 'fullTurns: 4'],
      ['S0-065: fewer results in full', 'fullSteps: 3', 'fullSteps: 2'],
      ['S0-066: drafts expire too early', 'pendingTurns: 3', 'pendingTurns: 2'],
      ['S0-066: drafts expire too late', 'pendingTurns: 3', 'pendingTurns: 4'],
      ['A-004: active entities become inactive too early', 'activeTurns: 5', 'activeTurns: 4'],
      ['A-004: active entities become inactive too late', 'activeTurns: 5', 'activeTurns: 6'],
      ['A-004: inactive entities are removed too early', 'inactiveTurns: 2', 'inactiveTurns: 1'],
      ['A-004: inactive entities are removed too late', 'inactiveTurns: 2', 'inactiveTurns: 3'],
      ['X0-10: two steps are not significant', 'significantSteps: 2', 'significantSteps: 3'],
      ['A-007: six entities of a type', 'entitiesPerType: 5', 'entitiesPerType: 6'],
      ['X0-6: a longer history', 'historyCharacters: 2_000', 'historyCharacters: 2_400'],
      ['X0-8: less of a proposal', 'proposalCharacters: 2_000', 'proposalCharacters: 500'],
      ['A-015: more tokens for planners', 'condensedTokens: 8_000', 'condensedTokens: 25_000'],
      ['A-015: fewer tokens for acting agents', 'fullTokens: 25_000', 'fullTokens: 8_000'],
    ],
  },
  {
    file: 'packages/throughline/src/turns/questions.ts',
    tests: [
      'packages/throughline/src/turns/after-reply.test.ts',
      'packages/throughline/src/turns/questions.test.ts',
    ],
    changes: [
      [
        'S0-024 X0-1: an answer at the limit gets a digest too',
        '!codePointsBeyond(turn.finalResponse, rules.responseCharacters)',
        '!codePointsBeyond(turn.finalResponse, rules.responseCharacters - 1)',
      ],
      [
        'S0-027: a model describes a proposal',
        "if (decision !== 'plan_direct')",
        "if (decision === 'clarify')",
      ],
      [
        'S0-027: a model describes a question to the user',
        "if (decision !== 'plan_direct')",
        "if (decision === 'propose')",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/questions.ts',
    tests: ['packages/throughline/src/turns/questions.test.ts'],
    changes: [
      [
        'A-013: names are read only from the start',
        'const names = namesIn(sources.assistant)',
        'const names = namesIn(beginning(sources.assistant))',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/limits-data.ts',
    tests: [
      'packages/throughline/src/turns/questions.test.ts',
      'packages/throughline/src/turns/judge/find-names.test.ts',
    ],
    changes: [
      [
        'A-014: less of an answer is kept',
        'shortAnswerCharacters: 300',
        'shortAnswerCharacters: 200',
      ],
      ['A-013: eleven names', 'maxNames: 10', 'maxNames: 11'],
    ],
  },
  {
    file: 'packages/throughline/src/turns/judge/judge-text.ts',
    tests: ['packages/throughline/src/turns'],
    changes: [
      [
        'B0-2: names are not checked against their source',
        "if (checked.kind === 'unknown')",
        "if (checked.kind === 'unknown' && checked.names.length > 9)",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/judge/exact-names.ts',
    tests: ['packages/throughline/src/turns'],
    changes: [
      [
        'B0-2: numbers are not checked against their source',
        'for (const number of unknownNumbers(sentence, sources)) unknown.push(number)',
        'unknownNumbers(sentence, sources)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/turn-sources.ts',
    tests: ['packages/throughline/src/turns'],
    changes: [
      [
        'S0-028: an answer may report a proposal as done',
        "decision === 'propose' || decision === 'clarify'",
        "decision === 'clarify'",
      ],
      [
        'S0-028: an answer may report a failed step as done',
        "hasFailed ? ('says-so' as const) : undoneIf(isOpen, proven)",
        'undoneIf(isOpen, proven)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/judge/judge-text.ts',
    tests: ['packages/throughline/src/turns/questions.test.ts'],
    changes: [
      [
        'S0-028: an answer may report an unproven action',
        'return isProven || provenKinds === null',
        'return isProven || provenKinds !== undefined',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/judge/claimed-actions.ts',
    tests: ['packages/throughline/src/turns/questions.test.ts'],
    changes: [
      [
        'S0-028: a denial proves the action that it denies',
        '(isLastOpen ? open : done).add(kind)',
        'done.add(kind)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/rule-lines.ts',
    tests: ['packages/throughline/src/turns/fold-lines.test.ts'],
    changes: [
      ['X0-6: a fold of a fold loses its count', 'count: Number(count), names', 'count: 1, names'],
    ],
  },
  {
    file: 'packages/throughline/src/turns/fold-history.ts',
    tests: ['packages/throughline/src/turns/fold-history.test.ts'],
    changes: [
      [
        'X0-6: a fold loses its turns',
        '{ from: lines[0]?.from ?? 0, to',
        '{ from: lines.at(-1)?.from ?? 0, to',
      ],
      [
        'X0-6: the history has no limit',
        'if (charactersOf(lines) <= maxCharacters) return lines',
        'if (charactersOf(lines) <= maxCharacters + 100) return lines',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/find-turn.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts'],
    changes: [
      ['S0-033: no turn is compressed', 'number + 1 - rules.fullTurns', 'number - rules.fullTurns'],
      [
        'X0-9: turns that no call passed are lost',
        'before.some(isSpoken) ? missedTurns(before) : []',
        '[]',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/questions.ts',
    tests: ['packages/throughline/src/turns/theme-question.test.ts'],
    changes: [
      [
        'S0-042: high complexity is not significant',
        "router?.complexity === 'high'",
        'router === undefined',
      ],
      [
        'X0-10: planned steps are not counted',
        'Math.max(think?.steps.length ?? 0, steps.length)',
        'steps.length',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/describe-turn.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts'],
    changes: [
      [
        'A-014: a failed model call removes the theme',
        'return hasModels ? (theme ?? byGoal)',
        'return hasModels ? byGoal',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/describe-turn.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts'],
    changes: [
      [
        'X0-11: a model call that is not due is made',
        'newestLeaving === null ? null : compressionQuestion(newestLeaving, earlier, rules, knows.theme)',
        'compressionQuestion(newestLeaving ?? found.records[0]!, earlier, rules, knows.theme)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/build-record.ts',
    tests: [
      'packages/throughline/src/turns/after-reply.test.ts',
      'packages/throughline/src/turns/pending-decision.test.ts',
    ],
    changes: [
      [
        'S0-055: a completed decision is still pending',
        "if (think.decision === 'plan_direct') return null",
        "if (think.decision === 'plan_direct') return before",
      ],
      [
        'S0-058: without reasoning nothing is pending',
        'if (think === null) return before',
        'if (think === null) return null',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/stores/memory/derived.ts',
    tests: ['packages/throughline/src/stores/memory.test.ts'],
    changes: [
      [
        'B0-1: steps have the same key in each turn (memory)',
        '(row.position >= span.from && row.position < span.to)',
        'row.position < span.to',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/derived.ts',
    tests: ['packages/throughline/src/stores/sqlite.test.ts', 'harness/turns/steps-kept.test.ts'],
    changes: [
      [
        'B0-1: steps have the same key in each turn (SQLite)',
        "where.push('position >= ? AND position < ?')",
        "where.push('? < ?')",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/read-turn.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts'],
    changes: [
      [
        'A-014: a turn without an answer is remembered',
        "finalResponse === null || finalResponse.trim() === ''",
        'finalResponse === null',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/after-reply.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts'],
    changes: [
      [
        'S0-001: an additional commit',
        'await commitChanges(access.store, { id, expectedVersion, changes, at })',
        '(await commitChanges(access.store, { id, expectedVersion, changes: { pins: [] }, at })) && (await commitChanges(access.store, { id, expectedVersion: expectedVersion + 1, changes, at }))',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/after-reply.ts',
    tests: ['packages/throughline/src/turns/after-reply.test.ts'],
    changes: [
      [
        'X0-9: a retry is remembered again',
        'key !== null && key === options.key',
        "key !== null && key === 'another'",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/build-record.ts',
    tests: ['packages/throughline/src/turns/step-records.test.ts'],
    changes: [
      [
        'A-016: a list is enumerated',
        "return describeList(result.length === 1 ? 'record' : 'records', result)",
        'return JSON.stringify(result)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/turn-audit.ts',
    tests: ['packages/throughline/src/turns'],
    changes: [
      [
        'audit: a failed step is counted as done',
        "steps.filter(({ status }) => status === 'done').length",
        'steps.length',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/entities/entity-states.ts',
    tests: ['packages/throughline/src/turns/entities/collect-entities.test.ts'],
    changes: [
      [
        'S0-066 X0-3: drafts expire a turn too late',
        'turn - Math.max(since, turnLastRef) >= rules.pendingTurns',
        'turn - Math.max(since, turnLastRef) > rules.pendingTurns',
      ],
      [
        'S0-053 X0-3: a mention does not count',
        'turn - Math.max(since, turnLastRef) >= rules.pendingTurns',
        'turn - since >= rules.pendingTurns',
      ],
      [
        'A-004: active entities become inactive a turn too late',
        'turn - turnLastRef >= rules.activeTurns',
        'turn - turnLastRef > rules.activeTurns',
      ],
      [
        'A-004: inactive entities are removed a turn too late',
        'turn - Math.max(since, turnLastRef) >= rules.inactiveTurns',
        'turn - Math.max(since, turnLastRef) > rules.inactiveTurns',
      ],
      [
        'X0-3: old entities are removed at once',
        "else if (entity.state === 'inactive') removed.push(entity.id)",
        "else if (entity.state !== 'active') removed.push(entity.id)",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/domain/entity.ts',
    tests: [
      'packages/throughline/src/turns/active-entities.test.ts',
      'packages/throughline/src/turns/after-reply.test.ts',
    ],
    changes: [
      [
        'S0-052: a generated draft is shown as saved',
        "source === 'db_read' || source === 'db_write'",
        "source !== 'analyze'",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/domain/entity.ts',
    tests: ['packages/throughline/src/turns/active-entities.test.ts'],
    changes: [
      [
        'S0-054: a temporary id is shown as a database id',
        'isBacked(entity) && !isTemporaryId(entity.id)',
        'isBacked(entity)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/domain/entity.ts',
    tests: ['packages/throughline/src/domain/temporary-id.test.ts'],
    changes: [
      ['S0-054: tmp-1 is not a temporary id', '(?:temp|tmp|temporary|gen', '(?:temp|temporary|gen'],
    ],
  },
  {
    file: 'packages/throughline/src/turns/entities/entity-states.ts',
    tests: ['packages/throughline/src/turns/active-entities.test.ts'],
    changes: [
      [
        'S0-018: inactive entities are shown',
        "return entity.state === 'active' && isReal(entity)",
        'return isReal(entity)',
      ],
      [
        'A-007: one more entity of a type',
        'return count <= perType',
        'return count <= perType + 1',
      ],
      [
        'A-006: the oldest entities first',
        'other.turnLastRef - one.turnLastRef',
        'one.turnLastRef - other.turnLastRef',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/entities/merge-entities.ts',
    tests: ['packages/throughline/src/turns/entities/merge-entities.test.ts'],
    changes: [
      [
        'X0-5: a saved draft is not found by its temporary id',
        'const aliases = new Set([...names, ...reportedNames(reported)])',
        'const aliases = new Set([...names])',
      ],
      [
        'X0-5: a saved draft becomes two entities',
        'if (isSameEntity(holder, reported, name)) known.add(holder)',
        'if (holder.id === reported.id) known.add(holder)',
      ],
      [
        'X0-5: a failed write promotes a draft',
        'named.filter((entity) => entity.succeeded)',
        'named',
      ],
      [
        'X0-5: a deletion removes nothing',
        "if (entity.action === 'delete') removeReported(table, entity)",
        "if (entity.action === 'delete') continue",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/entities/merge-entities.ts',
    tests: ['packages/throughline/src/turns/merge-removals.test.ts'],
    changes: [
      [
        'A-005: a replaced entity stays',
        'for (const entity of succeeded) replaceBy(table, entity, turn)',
        'for (const entity of succeeded) replaceBy(table, { ...entity, replaces: null }, turn)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/entities/entity-states.ts',
    tests: ['packages/throughline/src/turns'],
    changes: [
      [
        'A-005: an entity that is mentioned again does not return',
        "entity.state === 'inactive' && !entity.rejected",
        "entity.state === 'inactive' && entity.rejected",
      ],
      [
        'A-005: a rejected entity returns by its own name',
        "entity.state === 'inactive' && !entity.rejected",
        "entity.state === 'inactive'",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/entities/entity-table.ts',
    tests: [
      'packages/throughline/src/turns/entities/merge-entities.test.ts',
      'packages/throughline/src/turns/entities/entity-table.test.ts',
    ],
    changes: [['X0-5: the same id of two types is one entity', 'type.trim().toLowerCase()', "''"]],
  },
  {
    file: 'packages/throughline/src/turns/entities/find-mentions.ts',
    tests: ['packages/throughline/src/turns/entities/find-mentions.test.ts'],
    changes: [
      [
        'S0-053: labels do not identify an entity',
        'addName(entity, wordsOfText(entity.label))',
        'addName(entity, [])',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/limits-data.ts',
    tests: ['packages/throughline/src/turns/memory-blocks.test.ts'],
    changes: [
      ['A-015: planners see three turns', 'condensedTurns: 2', 'condensedTurns: 3'],
      [
        'A-015: planners see more of each text',
        'condensedCharacters: 300',
        'condensedCharacters: 400',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/memory-blocks.ts',
    tests: ['packages/throughline/src/turns/memory-blocks.test.ts'],
    changes: [
      [
        'S0-019: planners see steps',
        "...(reader === 'condensed' ? [] : stepPieces(memory))",
        '...stepPieces(memory)',
      ],
      [
        'X0-2: acting agents see the whole answer',
        'return assistantSummary === null',
        'return assistantSummary !== undefined',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/assemble/extension-slots.ts',
    tests: [
      'packages/throughline/src/turns/memory-room.test.ts',
      'packages/throughline/src/turns/memory-blocks.test.ts',
    ],
    changes: [
      ['A-015: the memory has no limit', 'room = Math.min(maxTokens, tokens)', 'room = tokens'],
    ],
  },
  {
    file: 'packages/throughline/src/turns/memory-blocks.ts',
    tests: [
      'packages/throughline/src/turns/memory-room.test.ts',
      'packages/throughline/src/turns/memory-blocks.test.ts',
    ],
    changes: [
      [
        'A-015: planners have the room of acting agents',
        "reader === 'condensed' ? rules.condensedTokens : rules.fullTokens",
        'rules.fullTokens',
      ],
    ],
  },
]
