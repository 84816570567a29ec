import { describe, expect, it } from 'vitest'
import type { Size } from '../../domain/context.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import { candidatesOf, options, words } from './candidates.test-support.ts'
import { select } from './select.ts'
import type { SelectOptions } from './select-options.ts'
import { selectRecent } from './select-recent.ts'

/**
 * Fixed sessions, selected for several budgets. A view is built again from the log, and must not
 * differ after an update of the package: that would change what a model sees and lose its cache. If
 * a rule of the selection is changed on purpose, the lists are written again with `vitest -u`.
 */

/** `line 4, keeps 0, stubs 5:40, 812 tokens (900 as JSON)` */
function drawn({ line, keeps, stubs, size }: SelectedMessages): string {
  const stubbed = stubs.map((stub) => `${stub.seq}:${stub.size.tokens}`)
  const parts = [`line ${line}`, keeps.length > 0 && `keeps ${keeps.join(' ')}`]
  const shown = [...parts, stubbed.length > 0 && `stubs ${stubbed.join(' ')}`].filter(Boolean)
  return `${shown.join(', ')}, ${size.tokens} tokens (${size.wire} as JSON)`
}

interface Asked
  extends Partial<Pick<SelectOptions, 'keepRecent' | 'userTextTokens' | 'historyTokens'>> {
  readonly limits?: Partial<SelectOptions['limits']>
  readonly fixed?: Size
  readonly order?: Order
}

type Order = TrimRules['order']

function optionsFor(given: Candidates, available: number, asked: Asked): SelectOptions {
  const { limits, fixed, order = 'priority', ...others } = asked
  const usual = options(given, available, Math.floor(available * 0.4), fixed, order)
  return { ...usual, ...others, limits: { ...usual.limits, ...limits } }
}

function selections(given: Candidates, budgets: readonly number[], asked: Asked = {}) {
  return budgets.map(
    (available) => `${available}: ${drawn(select(given, optionsFor(given, available, asked)))}`,
  )
}

function step(conversation: Builder, tokens: number): Builder {
  return conversation.calls('run', { command: words(tokens / 10) }).result(words(tokens))
}

/** Turns with a question, steps of growing size and an answer. */
function session(turns: number, steps: number): Builder {
  let conversation = build()
  for (let turn = 0; turn < turns; turn += 1) {
    conversation = conversation.user(`${turn} ${words(20 + 7 * turn)}`)
    for (let at = 0; at < steps; at += 1)
      conversation = step(conversation, 30 + ((turn * 37 + at * 53) % 190))
    conversation = conversation.says(`${turn} ${words(40 + 11 * turn)}`)
  }
  return conversation
}

const chat = (() => {
  let conversation = build()
  for (let turn = 0; turn < 16; turn += 1)
    conversation = conversation
      .user(`${turn} ${words(15 + ((turn * 29) % 70))}`)
      .says(`${turn} ${words(25 + ((turn * 41) % 120))}`)
  return conversation
})()

const giants = step(step(session(2, 2), 2_500).user(words(900)), 1_800)
  .says(words(700))
  .user('And now?')

const giantTask = (() => {
  let conversation = build().user('Hello').says('Hi').user(words(1_500))
  for (let at = 0; at < 12; at += 1) conversation = step(conversation, 12 + ((at * 31) % 90))
  return conversation
})()

const work = (() => {
  let conversation = session(2, 1)
  for (let at = 0; at < 9; at += 1) {
    const path = `file-${at % 4}.ts`
    conversation = conversation
      .user(`${at} <system-reminder>${words(60)}</system-reminder> ${words(12)}`)
      .calls(at % 3 === 2 ? 'edit' : 'read', { path })
      .result(`${at % 4 === 3 ? 'Error: ' : ''}${words(50 + ((at * 67) % 260))}`)
      .says(words(10 + ((at * 13) % 50)))
  }
  return conversation
})()

/** Each budget has other settings, so that most pairs of two settings occur. */
function fingerprintOf(given: Candidates, order: Order): string {
  const pick = <Value>(at: number, ...values: readonly [Value, ...Value[]]): Value =>
    values[at % values.length] ?? values[0]
  const drawnAll = Array.from({ length: 90 }, (_, at) => {
    const available = Math.floor(60 * 1.06 ** at)
    const target = Math.floor(available * pick(at, 0.4, 0.7, 0.25))
    const usual = options(given, available, target, undefined, order)
    const againstLimit = pick(at, 0, 1, 1.4)
    const limits = {
      ...usual.limits,
      tokensAgainstLimit: ({ tokens, wire }: Size) => tokens + (wire - tokens) * againstLimit,
      limitTokens: available * pick(at, 1, 0.9, 1.2, 1),
      ...pick(at, {}, { refillTokens: available * 0.6 }),
      ...pick(at, {}, {}, { triggerTokens: available * 0.8 }),
    }
    const asked: SelectOptions = {
      ...usual,
      limits,
      fixed: pick(at, { tokens: 0, wire: 0 }, { tokens: 30, wire: 41 }, { tokens: 9, wire: 9 }),
      keepRecent: pick<SelectOptions['keepRecent']>(
        at,
        ...([
          { messages: 4 },
          { turns: 2 },
          { tokens: 300 },
          { exchanges: 1 },
          { messages: 1 },
        ] as const),
      ),
      stubTokens: pick(at, 40, 40, 12, 90),
      ...pick(at, {}, { userTextTokens: 160 }, {}, { userTextTokens: 25 }, { historyTokens: 80 }),
    }
    return [select, selectRecent].map((by) => `${available}: ${drawn(by(given, asked))}`)
  })
  return sha256(drawnAll.flat().join('\n')).slice(0, 8)
}

const budgets = [9_000, 4_000, 2_400, 1_600, 1_000, 600, 300, 120]
const byTokens = { tokensAgainstLimit: ({ tokens }: Size) => tokens }

describe('the same selection in every release', () => {
  it('of turns with tools', () => {
    expect(selections(candidatesOf(session(6, 3)), budgets)).toMatchInlineSnapshot(`
      [
        "9000: line 0, 3707 tokens (4505 as JSON)",
        "4000: line 16, stubs 18:64 20:64 22:64 26:64 28:64 31:54 34:64 38:64 39:54 42:64, 1731 tokens (2273 as JSON)",
        "2400: line 29, stubs 31:54 34:64 38:64 39:54 42:64, 1085 tokens (1403 as JSON)",
        "1600: line 37, stubs 38:64 39:54 42:64, 705 tokens (888 as JSON)",
        "1000: line 43, keeps 40, stubs 44:64, 427 tokens (522 as JSON)",
        "600: line 45, keeps 40, 337 tokens (392 as JSON)",
        "300: line 45, keeps 40, stubs 46:50, 242 tokens (298 as JSON)",
        "120: line 47, keeps 40, stubs 47:9, 69 tokens (85 as JSON)",
      ]
    `)
  })

  it('of turns with tools, once a provider has reported usage', () => {
    const given = candidatesOf(session(6, 3))
    expect(selections(given, budgets, { limits: byTokens })).toMatchInlineSnapshot(`
      [
        "9000: line 0, 3707 tokens (4505 as JSON)",
        "4000: line 16, stubs 18:64 20:64 22:64 26:64 28:64 31:54 34:64 38:64 39:54 42:64, 1731 tokens (2273 as JSON)",
        "2400: line 29, stubs 31:54 34:64 38:64 39:54 42:64, 1085 tokens (1403 as JSON)",
        "1600: line 37, stubs 38:64 39:54 42:64, 705 tokens (888 as JSON)",
        "1000: line 43, keeps 40, stubs 44:64, 427 tokens (522 as JSON)",
        "600: line 45, keeps 40, 337 tokens (392 as JSON)",
        "300: line 45, keeps 40, stubs 46:103, 295 tokens (351 as JSON)",
        "120: line 47, keeps 40, stubs 47:9, 69 tokens (85 as JSON)",
      ]
    `)
  })

  it('of one long turn', () => {
    const given = candidatesOf(session(1, 24))
    expect(selections(given, budgets, { userTextTokens: 30 })).toMatchInlineSnapshot(`
      [
        "9000: line 0, stubs 6:82, 3872 tokens (4825 as JSON)",
        "4000: line 15, keeps 0, stubs 16:64 20:64 22:64 26:64 28:64 30:64 34:64 36:64 40:64 42:64 44:64, 1760 tokens (2450 as JSON)",
        "2400: line 29, keeps 0, stubs 30:64 34:64 36:64 40:64 42:64 44:64, 1077 tokens (1489 as JSON)",
        "1600: line 35, keeps 0, stubs 36:64 40:64 42:64 44:64, 776 tokens (1069 as JSON)",
        "1000: line 41, keeps 0, stubs 42:64 44:64, 515 tokens (689 as JSON)",
        "600: line 45, keeps 0, 316 tokens (410 as JSON)",
        "300: line 47, keeps 0, 222 tokens (277 as JSON)",
        "120: line 47, keeps 0, stubs 47:10 48:0 49:9, 44 tokens (77 as JSON)",
      ]
    `)
  })

  it('of one long turn whose task is farther back', () => {
    const given = candidatesOf(session(1, 24), { from: 9, task: 0 })
    expect(selections(given, budgets, { userTextTokens: 12 })).toMatchInlineSnapshot(`
      [
        "9000: line 9, keeps 0, 3328 tokens (4124 as JSON)",
        "4000: line 15, keeps 0, stubs 16:64 20:64 22:64 26:64 28:64 30:64 34:64 36:64 40:64 42:64 44:64, 1760 tokens (2450 as JSON)",
        "2400: line 29, keeps 0, stubs 30:64 34:64 36:64 40:64 42:64 44:64, 1077 tokens (1489 as JSON)",
        "1600: line 35, keeps 0, stubs 36:64 40:64 42:64 44:64, 776 tokens (1069 as JSON)",
        "1000: line 41, keeps 0, stubs 42:64 44:64, 515 tokens (689 as JSON)",
        "600: line 45, keeps 0, 316 tokens (410 as JSON)",
        "300: line 47, keeps 0, 222 tokens (277 as JSON)",
        "120: line 47, keeps 0, stubs 47:10 48:0 49:9, 44 tokens (77 as JSON)",
      ]
    `)
  })

  it('of a chat', () => {
    const given = candidatesOf(chat)
    expect(selections(given, budgets, { userTextTokens: 400 })).toMatchInlineSnapshot(`
      [
        "9000: line 0, 2060 tokens (2316 as JSON)",
        "4000: line 0, stubs 3:54 5:54 9:54 11:54 15:54 17:54 21:54 23:54, 1724 tokens (1988 as JSON)",
        "2400: line 14, stubs 15:54 17:54 21:54 23:54 27:54, 1051 tokens (1200 as JSON)",
        "1600: line 20, stubs 21:54 23:54 27:54, 708 tokens (807 as JSON)",
        "1000: line 24, stubs 27:54 29:54, 441 tokens (507 as JSON)",
        "600: line 27, stubs 27:54 29:54, 264 tokens (306 as JSON)",
        "300: line 29, stubs 29:54, 134 tokens (159 as JSON)",
        "120: line 30, 80 tokens (96 as JSON)",
      ]
    `)
  })

  it('of a chat beside a history block and other fixed parts', () => {
    const fixed = { tokens: 200, wire: 230 }
    const asked = { fixed, historyTokens: 150, keepRecent: { turns: 4 }, limits: byTokens }
    expect(selections(candidatesOf(chat), budgets.slice(0, 6), asked)).toMatchInlineSnapshot(`
      [
        "9000: line 0, 2260 tokens (2546 as JSON)",
        "4000: line 4, stubs 4:54 5:54 9:54 11:54 15:54 17:54 21:54 23:54, 1747 tokens (2009 as JSON)",
        "2400: line 18, stubs 18:54 21:54 23:54, 1030 tokens (1175 as JSON)",
        "1600: line 24, stubs 24:54 27:54, 677 tokens (773 as JSON)",
        "1000: line 28, stubs 29:54, 410 tokens (473 as JSON)",
        "600: line 30, 280 tokens (326 as JSON)",
      ]
    `)
  })

  it('of a session with giants and pins', () => {
    const given = candidatesOf(giants, { pins: [0, 9] })
    expect(selections(given, budgets, { userTextTokens: 300 })).toMatchInlineSnapshot(`
      [
        "9000: line 0, stubs 10:64 12:69 13:65 15:69 16:1507, 3873 tokens (4166 as JSON)",
        "4000: line 14, stubs 14:858 15:69 16:116, 1753 tokens (1818 as JSON)",
        "2400: line 14, stubs 14:167 15:69 16:115, 1061 tokens (1125 as JSON)",
        "1600: line 17, 710 tokens (726 as JSON)",
        "1000: line 17, 710 tokens (726 as JSON)",
        "600: line 17, stubs 17:346, 352 tokens (368 as JSON)",
        "300: line 17, stubs 17:168, 174 tokens (190 as JSON)",
        "120: line 17, stubs 17:62, 68 tokens (84 as JSON)",
      ]
    `)
  })

  it('with less room for refilling than the limit', () => {
    const given = candidatesOf(session(5, 4))
    const refilled = [4_000, 2_400, 1_600, 1_000].map((available) => {
      const limits = { refillTokens: available * 0.5 }
      return selections(given, [available], { limits })[0]
    })
    expect(refilled).toMatchInlineSnapshot(`
      [
        "4000: line 20, stubs 22:64 24:64 26:64 32:64 34:64 38:64 39:54 42:64, 1652 tokens (2176 as JSON)",
        "2400: line 31, stubs 32:64 34:64 38:64 39:54 42:64, 1092 tokens (1433 as JSON)",
        "1600: line 37, stubs 38:64 39:54 42:64 46:64, 754 tokens (977 as JSON)",
        "1000: line 43, keeps 40, stubs 46:64, 506 tokens (640 as JSON)",
      ]
    `)
  })

  it('for many budgets and settings, as fingerprints that notice any change', () => {
    const fingerprints = (order: Order) => ({
      'turns with tools': fingerprintOf(candidatesOf(session(6, 3)), order),
      'long turns': fingerprintOf(candidatesOf(session(3, 9)), order),
      'one long turn': fingerprintOf(candidatesOf(session(1, 24)), order),
      'its task farther back': fingerprintOf(
        candidatesOf(session(1, 24), { from: 9, task: 0 }),
        order,
      ),
      chat: fingerprintOf(candidatesOf(chat), order),
      'chat from its middle': fingerprintOf(candidatesOf(chat, { from: 7, task: 6 }), order),
      'giants and pins': fingerprintOf(candidatesOf(giants, { pins: [0, 9] }), order),
      'giant task': fingerprintOf(candidatesOf(giantTask), order),
      'files and reminders': fingerprintOf(candidatesOf(work), order),
    })
    expect(fingerprints('priority')).toMatchInlineSnapshot(`
      {
        "chat": "764f9c64",
        "chat from its middle": "5536f38b",
        "files and reminders": "879c4c99",
        "giant task": "4f6ce230",
        "giants and pins": "4f3e52b1",
        "its task farther back": "c8f1b1c9",
        "long turns": "cba55ae0",
        "one long turn": "7f3e393b",
        "turns with tools": "5e714630",
      }
    `)
    expect(fingerprints('share')).toMatchInlineSnapshot(`
      {
        "chat": "50e6eeb7",
        "chat from its middle": "1721a7e7",
        "files and reminders": "790c4e44",
        "giant task": "7461e890",
        "giants and pins": "127f86de",
        "its task farther back": "b560cec7",
        "long turns": "33efe029",
        "one long turn": "33fd3ede",
        "turns with tools": "d561080b",
      }
    `)
  })

  it('by share: of turns with tools', () => {
    const given = candidatesOf(session(6, 3))
    expect(selections(given, budgets, { order: 'share' })).toMatchInlineSnapshot(`
      [
        "9000: line 0, 3707 tokens (4505 as JSON)",
        "4000: line 16, stubs 18:64 20:64 22:64 26:64 28:64 34:64 38:64 42:64 46:64, 1709 tokens (2250 as JSON)",
        "2400: line 29, stubs 34:64 38:64 42:64 46:64, 1063 tokens (1380 as JSON)",
        "1600: line 35, stubs 38:64 42:64 46:64, 737 tokens (959 as JSON)",
        "1000: line 41, keeps 40, stubs 42:64 46:64, 478 tokens (613 as JSON)",
        "600: line 43, keeps 40, stubs 44:64 46:64, 346 tokens (442 as JSON)",
        "300: line 45, keeps 40, stubs 46:49, 241 tokens (297 as JSON)",
        "120: line 47, keeps 40, stubs 47:9, 69 tokens (85 as JSON)",
      ]
    `)
  })

  it('by share: of one long turn', () => {
    const asked = { order: 'share', userTextTokens: 30 } as const
    expect(selections(candidatesOf(session(1, 24)), budgets, asked)).toMatchInlineSnapshot(`
      [
        "9000: line 0, stubs 6:96, 3886 tokens (4839 as JSON)",
        "4000: line 15, keeps 0, stubs 16:64 20:64 22:64 26:64 28:64 30:64 34:64 36:64 40:64 42:64 44:64 48:115, 1752 tokens (2443 as JSON)",
        "2400: line 29, keeps 0, stubs 30:64 34:64 36:64 40:64 42:64 44:64 48:64, 1018 tokens (1431 as JSON)",
        "1600: line 35, keeps 0, stubs 36:64 40:64 42:64 44:64 48:64, 717 tokens (1011 as JSON)",
        "1000: line 41, keeps 0, stubs 42:64 44:64 48:64, 456 tokens (631 as JSON)",
        "600: line 45, keeps 0, stubs 48:64, 257 tokens (352 as JSON)",
        "300: line 47, keeps 0, stubs 48:64, 163 tokens (219 as JSON)",
        "120: line 47, keeps 0, stubs 47:10 48:0 49:9, 44 tokens (77 as JSON)",
      ]
    `)
  })

  it('by share: of a chat beside a history block and other fixed parts', () => {
    const fixed = { tokens: 200, wire: 230 }
    const asked = { fixed, historyTokens: 150, keepRecent: { turns: 4 }, limits: byTokens }
    const shown = selections(candidatesOf(chat), budgets.slice(0, 6), { ...asked, order: 'share' })
    expect(shown).toMatchInlineSnapshot(`
      [
        "9000: line 0, 2260 tokens (2546 as JSON)",
        "4000: line 8, stubs 9:54, 1810 tokens (2033 as JSON)",
        "2400: line 20, 1030 tokens (1156 as JSON)",
        "1600: line 24, stubs 24:54, 706 tokens (801 as JSON)",
        "1000: line 28, stubs 28:54, 458 tokens (521 as JSON)",
        "600: line 30, 280 tokens (326 as JSON)",
      ]
    `)
  })

  it('by share: of a session with giants and pins', () => {
    const given = candidatesOf(giants, { pins: [0, 9] })
    const asked = { order: 'share', userTextTokens: 300 } as const
    expect(selections(given, budgets, asked)).toMatchInlineSnapshot(`
      [
        "9000: line 0, stubs 10:96 12:101 13:97 15:101 16:1419, 3913 tokens (4206 as JSON)",
        "4000: line 6, stubs 10:64 12:69 13:65 14:575 15:69 16:65, 1842 tokens (2041 as JSON)",
        "2400: line 14, stubs 14:167 15:69 16:115, 1061 tokens (1125 as JSON)",
        "1600: line 17, 710 tokens (726 as JSON)",
        "1000: line 17, stubs 17:564, 570 tokens (587 as JSON)",
        "600: line 17, stubs 17:346, 352 tokens (368 as JSON)",
        "300: line 17, stubs 17:168, 174 tokens (190 as JSON)",
        "120: line 17, stubs 17:62, 68 tokens (84 as JSON)",
      ]
    `)
  })

  it('by share: of files and reminders', () => {
    expect(selections(candidatesOf(work), budgets, { order: 'share' })).toMatchInlineSnapshot(`
      [
        "9000: line 0, 3010 tokens (3615 as JSON)",
        "4000: line 16, stubs 16:17 18:109 20:17 24:17 28:17 32:17 36:17, 1729 tokens (2115 as JSON)",
        "2400: line 28, stubs 28:17 30:107 32:17 36:17, 1029 tokens (1249 as JSON)",
        "1600: line 32, stubs 32:17 34:64 36:17, 714 tokens (879 as JSON)",
        "1000: line 36, stubs 36:17 38:137, 433 tokens (543 as JSON)",
        "600: line 37, stubs 38:64, 343 tokens (445 as JSON)",
        "300: line 41, keeps 40, 204 tokens (259 as JSON)",
        "120: line 43, keeps 40, stubs 43:9, 95 tokens (111 as JSON)",
      ]
    `)
  })

  it('of the newest messages alone', () => {
    const recent = (given: Candidates, keepRecent: SelectOptions['keepRecent']) =>
      budgets.map((available) => {
        const asked = { keepRecent, limits: { triggerTokens: available * 0.75 } }
        return `${available}: ${drawn(selectRecent(given, optionsFor(given, available, asked)))}`
      })
    expect(recent(candidatesOf(session(6, 3)), { turns: 3 })).toMatchInlineSnapshot(`
      [
        "9000: line 24, 1961 tokens (2360 as JSON)",
        "4000: line 24, 1961 tokens (2360 as JSON)",
        "2400: line 35, 1027 tokens (1246 as JSON)",
        "1600: line 39, 813 tokens (954 as JSON)",
        "1000: line 43, keeps 40, 455 tokens (549 as JSON)",
        "600: line 43, keeps 40, 455 tokens (549 as JSON)",
        "300: line 45, keeps 40, stubs 46:50, 242 tokens (298 as JSON)",
        "120: line 47, keeps 40, stubs 47:9, 69 tokens (85 as JSON)",
      ]
    `)
    expect(recent(candidatesOf(chat), { messages: 13 })).toMatchInlineSnapshot(`
      [
        "9000: line 18, 940 tokens (1052 as JSON)",
        "4000: line 18, 940 tokens (1052 as JSON)",
        "2400: line 18, 940 tokens (1052 as JSON)",
        "1600: line 18, 940 tokens (1052 as JSON)",
        "1000: line 26, 410 tokens (458 as JSON)",
        "600: line 28, 280 tokens (312 as JSON)",
        "300: line 30, 80 tokens (96 as JSON)",
        "120: line 30, 80 tokens (96 as JSON)",
      ]
    `)
  })
})
