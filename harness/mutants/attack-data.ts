/** Bugs that the attacks must find. */
import type { MutantGroup } from './mutant.ts'

export const attackMutants: readonly MutantGroup[] = [
  {
    file: 'packages/throughline/src/flow/history/narrate.ts',
    tests: ['harness/attack/lost-messages.test.ts', 'harness/attack/recall-room.test.ts'],
    changes: [
      [
        'lost-messages: the newest user texts leave no room for the names of older messages',
        'left - openingsLeft * openings.characters',
        'left',
      ],
      [
        'lost-messages: no user text if it is not repeated next to a summary',
        'repeatsUserText ? 0 : othersFrom',
        'repeatsUserText ? 0 : line',
      ],
      [
        'lost-messages: recalled text takes the room of names',
        'planned?.mentionsAll === false ?',
        'planned === null ?',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/measure/user-text.ts',
    tests: ['harness/attack/lost-messages.test.ts', 'harness/attack/recall-room.test.ts'],
    changes: [
      [
        'lost-messages: user text has no room in a preset with only a summary',
        'const uncoveredShare = 0.15',
        'const uncoveredShare = 0',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/policies/presets-data.ts',
    tests: ['harness/attack/lost-messages.test.ts', 'harness/attack/recall-room.test.ts'],
    changes: [
      [
        'lost-messages: rules compact running-rag if its model fails',
        "without a summary stay while they fit.\n      onFailure: 'no-change'",
        "without a summary stay while they fit.\n      onFailure: 'rules'",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/select/select-messages.ts',
    tests: ['harness/attack/lost-messages.test.ts', 'harness/attack/recall-room.test.ts'],
    changes: [
      [
        'lost-messages: ten messages are truncated at the length limit of a conversation',
        'usesRatio(policy.triggers) ? plan.budget.triggerTokens : plan.countedTokens',
        'usesRatio([]) ? plan.countedTokens : plan.budget.triggerTokens',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/history/render-blocks.ts',
    tests: ['harness/attack/lost-messages.test.ts', 'harness/attack/recall-room.test.ts'],
    changes: [
      [
        'lost-messages: counters replace user text in a rule digest',
        'text.includes(words.slice(0, quotedCharacters))',
        "text.includes('') || words === ''",
      ],
      [
        'lost-messages: a summary is truncated to make room for recalled text',
        'const roomTokens = limits.modelSummaryTokens + userTextTokens',
        'const roomTokens = limits.summaryTokens + userTextTokens',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/turns/limits-data.ts',
    tests: ['harness/attack/lost-messages.test.ts', 'harness/attack/recall-room.test.ts'],
    changes: [
      [
        'lost-messages: the start of a long message in a remembered turn is missing',
        'longBeginningCharacters: 80',
        'longBeginningCharacters: 0',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/gate/draft-form.ts',
    tests: ['harness/attack/degenerate-drafts.test.ts'],
    changes: [
      [
        'degenerate-drafts: repetition is not checked',
        "return repeats(text) ? 'the same words again and again' : null",
        'return null',
      ],
      [
        'degenerate-drafts: a single repeated letter passes',
        "if (isOneLetter(text)) return 'one letter again and again'",
        '',
      ],
      [
        'degenerate-drafts: placeholders pass',
        'placeholder.test(text) && ',
        'placeholder.test(text) && false && ',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/gate/gate.ts',
    tests: ['harness/attack/degenerate-drafts.test.ts'],
    changes: [
      [
        'degenerate-drafts: a draft without content passes',
        'reasons.length === 0 && saysNothing(topic, index)',
        'reasons.length === 0 && false && saysNothing(topic, index)',
      ],
      [
        'degenerate-drafts: an unrelated draft in another language passes',
        '    isOtherLanguage &&\n',
        '    false &&\n',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/conversation/summary-locks.ts',
    tests: ['harness/attack/hung-summarizer.test.ts'],
    changes: [
      [
        'hung-summarizer: every request waits for the same job',
        "if (waitMs !== null && slow.has(other)) return 'waited'",
        '',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/policies/balanced-data.ts',
    tests: ['harness/attack/hung-summarizer.test.ts'],
    changes: [
      ['hung-summarizer: a request may wait ten seconds', 'waitMs: 2_000', 'waitMs: 10_000'],
    ],
  },
  {
    file: 'packages/throughline/src/domain/model-calls.ts',
    tests: ['harness/attack/hung-summarizer.test.ts'],
    changes: [
      [
        'hung-summarizer: the breaker opens too late',
        'const maxIneffective = 2',
        'const maxIneffective = 20',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/cli/settings/setting-files.ts',
    tests: ['harness/attack/foreign-files.test.ts'],
    changes: [
      [
        'foreign-files: an untrusted project file is used',
        'found.text !== null && isTrusted(file, found.text, world)',
        'found.text !== null',
      ],
      ['foreign-files: an ignored project file is not named', '  world.notice({', '  void ({'],
      [
        'foreign-files: the search continues up to the root',
        'return isInHome ? own : own.slice(0, 1)',
        'return own',
      ],
      [
        'foreign-files: a home that is the root counts as home',
        "end >= 0 && folders[end] !== parse(folders[end] ?? '').root",
        'end >= 0',
      ],
      [
        'foreign-files: trust applies to any text',
        '[realPath(file)] === hashOf(text)',
        '[realPath(file)] !== undefined',
      ],
      [
        'foreign-files: trust applies to any path',
        "parseObject(found.text ?? '{}', list)[realPath(file)] === hashOf(text)",
        "Object.values(parseObject(found.text ?? '{}', list)).includes(hashOf(text))",
      ],
      [
        "foreign-files: another user's list of trusted files is used",
        'if (found.foreign === null)\n    return parseObject',
        'if (found.text !== null)\n    return parseObject',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/cli/settings/read-settings.ts',
    tests: ['harness/attack/foreign-files.test.ts'],
    changes: [
      [
        "foreign-files: another user's settings are used",
        'if (found.foreign === null) return',
        'if (found.text !== null) return',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/cli/ownership.ts',
    tests: ['harness/attack/foreign-files.test.ts'],
    changes: [
      [
        'foreign-files: the owner of a file is not checked',
        'if (found.uid !== user.uid) return',
        'if (found.uid < 0) return',
      ],
      [
        'foreign-files: the owner of a link is not checked',
        'link.isSymbolicLink() && link.uid !== user.uid',
        'link.uid < 0',
      ],
      ['foreign-files: a world-writable file is used', '(mode & 0o002) !== 0', 'mode < 0'],
      [
        'foreign-files: a file that any group may write is used',
        'const isPrivate = gid === user.gid && gid === user.uid',
        'const isPrivate = true',
      ],
      [
        'foreign-files: a file that a private group may write is refused',
        'const isPrivate = gid === user.gid && gid === user.uid',
        'const isPrivate = false',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/cli/open-store.ts',
    tests: ['harness/attack/foreign-files.test.ts'],
    changes: [
      [
        'foreign-files: the folder of a database is not checked',
        'if (folder !== null) throw',
        'if (folder === file) throw',
      ],
      [
        'foreign-files: the side files of a database are not checked',
        "[file, ...['-wal', '-shm', '-journal']",
        "[file, ...['']",
      ],
      [
        'foreign-files: a database that a project names is not checked',
        "if (kind === 'flag' || kind === 'environment') return",
        "if (kind !== 'built-in') return",
      ],
      [
        'foreign-files: a database that the user named is refused',
        "if (kind === 'flag' || kind === 'environment') return",
        '',
      ],
      [
        'foreign-files: a read-only command does not check the database',
        '  refuseUnowned(found, world)\n  refuseEmpty(file)',
        '  refuseEmpty(file)',
      ],
      [
        'foreign-files: a store in another place is not named',
        'if (file !== defaultStore(world))',
        "if (file === '')",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/cli/commands/doctor.ts',
    tests: ['harness/attack/foreign-files.test.ts'],
    changes: [
      ['foreign-files: the doctor opens any database', '    refuseUnowned(settings, world)\n', ''],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/purge.ts',
    tests: ['harness/attack/killed-purges.test.ts'],
    changes: [
      [
        'a purge does not record that its bytes are not erased yet',
        '?, ?, 0 FROM purges',
        '?, ?, 1 FROM purges',
      ],
      ['a retry does not know that it was purged', 'wasPurged(tenant, command.id)', 'false'],
      [
        'a purge counts as erased too early',
        'const remains = await overwriteOldPages(connection)',
        'markErased(connection, pending); const remains = await overwriteOldPages(connection)',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/open-connection.ts',
    tests: ['harness/attack/killed-purges.test.ts'],
    changes: [
      [
        'opening a file does not finish a killed purge',
        '  if (erasesAtOpen) finishErasureAtOpen(connection)\n',
        '',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/rewrite.ts',
    tests: ['harness/attack/killed-purges.test.ts'],
    changes: [
      ['a title keeps the text of a purged message', '      updateTitle(row(), places)\n', ''],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/row-hash.ts',
    tests: ['harness/attack/corrupted-pages.test.ts'],
    changes: [
      ['no hash covers the time of a message', "'created_at key key_hash", "'key key_hash"],
      ['no hash covers the key of a message', 'at key key_hash marks', 'at key_hash marks'],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/inspect.ts',
    tests: ['harness/attack/corrupted-pages.test.ts'],
    changes: [
      [
        'doctor does not check the rows of conversations',
        'if (!hasHash(row, conversationRowHash(row)))',
        'if (hasHash(row, new Uint8Array()))',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/stores/sqlite/read.ts',
    tests: ['harness/attack/corrupted-pages.test.ts'],
    changes: [['readers receive marks of another shape', '[mark]', 'Array.isArray']],
  },
  {
    file: 'packages/throughline/src/flow/assemble/assemble.ts',
    tests: ['harness/attack/role-escalation.test.ts'],
    changes: [
      [
        'pins have the role of summaries',
        'pins: pins.map(pinBlock),',
        'pins: pins.map((message) => withRole(pinBlock(message), policy)),',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/text/message-text.ts',
    tests: ['harness/attack/role-escalation.test.ts'],
    changes: [
      [
        'a summary of documents is trusted like talk',
        "parts.every(({ type }) => type === 'text' || type === 'reasoning')",
        "parts.every(({ type }) => type !== 'tool-result')",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/history/styled-summary.ts',
    tests: ['harness/attack/role-escalation.test.ts'],
    changes: [
      [
        'a summary has the system role whatever it covers',
        "const withoutTools = trust !== 'tool' && !hasRules",
        'const withoutTools = !hasRules',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/adapters/openai/responses-write.ts',
    tests: ['harness/attack/role-escalation.test.ts'],
    changes: [
      [
        'an unknown block gets the developer role',
        "if (block === null || (isInstructionItem(block) && role !== 'system')) return null",
        'if (block === null) return null',
      ],
      [
        'metadata gives an item another role',
        "keptFields(wire['item'], ['type', 'call_id', 'role', 'content', ...ours])",
        "keptFields(wire['item'], ['type', 'call_id', ...ours])",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/assemble/repair.ts',
    tests: ['harness/attack/role-escalation.test.ts'],
    changes: [
      [
        'a document in a system message stays there',
        "return clean.role === 'system' ? withoutDocuments(clean, repairs) : [clean]",
        'return [clean]',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/domain/data-block.ts',
    tests: ['harness/attack/role-escalation.test.ts'],
    changes: [
      [
        'the mark of a block does not depend on its text',
        'const mark = shortHash(text, salt)\n    if (!text.includes(mark)) return mark',
        "const mark = shortHash('mark', salt)\n    if (text !== '') return mark",
      ],
      [
        'a line break can close a label',
        "name.replace(/[\\p{Cc}\\p{Zl}\\p{Zp}[\\]]/gu, ' ').toWellFormed()",
        'name.toWellFormed()',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/redact/redact-message.ts',
    tests: ['harness/attack/secrets.test.ts'],
    changes: [
      [
        'arguments of calls are not redacted',
        'json: (json) => redactJson(json, redact),',
        'json: (json) => json,',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/text/map-strings.ts',
    tests: ['harness/attack/secrets.test.ts'],
    changes: [
      [
        'excerpts are not redacted',
        "title: 'title', text: 'text' }",
        "title: 'title', text: 'id' }",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/flow/receipt/left-in-context.ts',
    tests: ['harness/attack/secrets.test.ts'],
    changes: [
      [
        'the remainder of a compaction is stored with its secrets',
        "const { text } = redactSecrets(texts.join('\\n'))",
        "const { text } = { text: redactSecrets('').text + texts.join('\\n') }",
      ],
    ],
  },
  {
    file: 'packages/throughline/src/extract/redact-secrets.ts',
    tests: ['harness/attack/secrets.test.ts'],
    changes: [
      [
        'options of commands are not checked',
        '...[findCommandPasswords, findPlaced]',
        '...(findCommandPasswords === null ? [findCommandPasswords] : [findPlaced])',
      ],
    ],
  },
  {
    file: 'packages/throughline/src/extract/secrets/find-assignments.ts',
    tests: ['harness/attack/secrets.test.ts'],
    changes: [
      [
        'user-chosen passwords are not redacted',
        'if (!hasDigit && !hasMark) return false',
        'if (!hasMark) return false',
      ],
      [
        'every word after a name is redacted as a password',
        'if (!isLikely || /\\s/.test(sample) || isPlaceholder(sample)) return false',
        "if (isLikely || kind === 'password') return true\n  return false",
      ],
    ],
  },
]
